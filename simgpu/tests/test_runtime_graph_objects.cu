// User objects that graphs hold, graphs as DOT text, and parameters and attributes of nodes of any type. The
// expectations are those of an H100 with driver 580.
#include "semantics.h"

#include <cstring>
#include <string>

static int destroyed; // in the order of calls: their numbers as digits

static void CUDART_CB destroy(void *number) { destroyed = 10 * destroyed + *static_cast<int *>(number); }

// Hardware may call a destructor later.
static bool becomes(int expected) {
  for (int i = 0; i < 100 && destroyed != expected; i++)
    usleep(10000);
  return destroyed == expected;
}

static int numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static cudaUserObject_t object(int number, unsigned references = 1) {
  cudaUserObject_t u = nullptr;
  OK(cudaUserObjectCreate(&u, &numbers[number], destroy, references, cudaUserObjectNoDestructorSync));
  return u;
}

static cudaGraph_t new_graph() {
  cudaGraph_t graph = nullptr;
  OK(cudaGraphCreate(&graph, 0));
  return graph;
}

static void references() {
  cudaUserObject_t u;
  const unsigned flags = cudaUserObjectNoDestructorSync;
  OK(cudaFree(nullptr));
  INVALID(cudaUserObjectCreate(&u, &numbers[1], destroy, 0, flags));
  INVALID(cudaUserObjectCreate(&u, &numbers[1], destroy, 1, 0));
  INVALID(cudaUserObjectCreate(&u, &numbers[1], destroy, 1, 3));
  INVALID(cudaUserObjectCreate(nullptr, &numbers[1], destroy, 1, flags));
  INVALID(cudaUserObjectCreate(&u, &numbers[1], nullptr, 1, flags));
  u = object(1, 2);
  INVALID(cudaUserObjectRetain(u, 0));
  INVALID(cudaUserObjectRetain(nullptr, 1));
  INVALID(cudaUserObjectRelease(u, 0));
  OK(cudaUserObjectRetain(u, 2));
  OK(cudaUserObjectRelease(u, 1));
  OK(cudaUserObjectRelease(u, 2));
  TRUE(destroyed == 0);
  OK(cudaUserObjectRelease(u, 1));
  TRUE(destroyed == 1);
}

static void held_by_graphs() {
  const cudaGraph_t graph = new_graph(), empty = new_graph();
  const cudaUserObject_t a = object(1), b = object(2), c = object(3);
  INVALID(cudaGraphRetainUserObject(graph, a, 0, 0));
  INVALID(cudaGraphRetainUserObject(graph, a, 1, 2));
  INVALID(cudaGraphRetainUserObject(nullptr, a, 1, 0));
  INVALID(cudaGraphRetainUserObject(graph, nullptr, 1, 0));
  INVALID(cudaGraphReleaseUserObject(graph, a, 0));
  OK(cudaGraphRetainUserObject(graph, a, 2, 0));
  OK(cudaUserObjectRelease(a, 1));
  OK(cudaGraphReleaseUserObject(graph, a, 1));
  TRUE(destroyed == 0);
  OK(cudaGraphReleaseUserObject(graph, a, 1));
  TRUE(destroyed == 1);
  OK(cudaGraphRetainUserObject(graph, b, 1, cudaGraphUserObjectMove)); // now the program holds none
  OK(cudaGraphRetainUserObject(graph, c, 1, cudaGraphUserObjectMove));
  OK(cudaGraphReleaseUserObject(graph, c, 1));
  TRUE(destroyed == 13);
  OK(cudaGraphDestroy(empty));
  TRUE(destroyed == 13);
  OK(cudaGraphDestroy(graph));
  TRUE(destroyed == 132);
}

static void held_by_copies() {
  const cudaGraph_t graph = new_graph();
  cudaGraph_t clone;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  OK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  OK(cudaGraphRetainUserObject(graph, object(1), 1, cudaGraphUserObjectMove));
  OK(cudaGraphClone(&clone, graph));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphDestroy(graph));
  TRUE(destroyed == 0);
  OK(cudaGraphDestroy(clone));
  TRUE(destroyed == 0);
  OK(cudaGraphLaunch(exec, nullptr));
  OK(cudaGraphExecDestroy(exec));
  OK(cudaDeviceSynchronize());
  TRUE(becomes(1));
}

static void held_by_parents() {
  const cudaGraph_t graph = new_graph(), child = new_graph();
  cudaGraphNode_t node;
  OK(cudaGraphRetainUserObject(child, object(1), 1, cudaGraphUserObjectMove));
  OK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  OK(cudaGraphDestroy(child));
  TRUE(destroyed == 0);
  OK(cudaGraphDestroy(graph));
  TRUE(destroyed == 1);
}

static void held_by_updates() {
  const cudaGraph_t graph = new_graph(), other = new_graph();
  cudaGraphExec_t exec;
  cudaGraphExecUpdateResultInfo info;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphRetainUserObject(other, object(1), 1, cudaGraphUserObjectMove));
  OK(cudaGraphExecUpdate(exec, other, &info));
  OK(cudaGraphDestroy(other));
  TRUE(destroyed == 0);
  OK(cudaGraphExecDestroy(exec));
  TRUE(becomes(1));
  OK(cudaGraphDestroy(graph));
}

extern "C" __global__ void fill(int *p, int value) { p[threadIdx.x] = value; }

static void CUDART_CB nothing(void *) {}

static std::string drawn(cudaGraph_t graph, unsigned flags) {
  char name[] = "/tmp/graph_dot_XXXXXX", text[1 << 14] = "";
  const int file = mkstemp(name);
  OK(cudaGraphDebugDotPrint(graph, name, flags));
  if (read(file, text, sizeof text - 1) < 0)
    differences++;
  close(file);
  remove(name);
  return text;
}

#define HAS(text, part) has(text, part, __LINE__)
static void has(const std::string &text, const char *part, int line) {
  if (text.find(part) != std::string::npos)
    return;
  printf("%s:%d: expected %s in %s\n", __BASE_FILE__, line, part, text.c_str());
  differences++;
}

static void drawn_graphs() {
  const cudaGraph_t graph = new_graph(), child = new_graph();
  cudaGraphNode_t nodes[7], inner;
  cudaEvent_t event;
  int *p, value = 7, host[4];
  void *arguments[] = {&p, &value};
  OK(cudaMalloc(&p, 64));
  OK(cudaEventCreate(&event));
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)fill, kernel.gridDim = 2, kernel.blockDim = 16, kernel.kernelParams = arguments;
  cudaMemsetParams set = {};
  set.dst = p, set.elementSize = 4, set.width = 4, set.height = 1, set.value = 3;
  const cudaHostNodeParams call = {nothing, host};
  OK(cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &kernel));
  OK(cudaGraphAddMemsetNode(&nodes[1], graph, nodes, 1, &set));
  OK(cudaGraphAddMemcpyNode1D(&nodes[2], graph, nodes, 2, host, p, 16, cudaMemcpyDeviceToHost));
  OK(cudaGraphAddHostNode(&nodes[3], graph, &nodes[2], 1, &call));
  OK(cudaGraphAddEmptyNode(&inner, child, nullptr, 0));
  OK(cudaGraphAddChildGraphNode(&nodes[4], graph, &nodes[3], 1, child));
  OK(cudaGraphAddEmptyNode(&nodes[5], graph, &nodes[4], 1));
  OK(cudaGraphAddEventRecordNode(&nodes[6], graph, &nodes[5], 1, event));

  INVALID(cudaGraphDebugDotPrint(nullptr, "/tmp/x.dot", 0));
  INVALID(cudaGraphDebugDotPrint(graph, nullptr, 0));
  EXPECT(cudaGraphDebugDotPrint(graph, "/no/folder/x.dot", 0), cudaErrorOperatingSystem);
  const std::string text = drawn(graph, 0);
  HAS(text, "digraph dot {\nsubgraph cluster_1 {\nlabel=\"graph_1\" graph[style=\"dashed\"];\n");
  HAS(text, "\"graph_1_node_0\"[style=\"bold\" shape=\"octagon\" label=\"0\nfill\n\"];\n");
  HAS(text, "label=\"1\nMEMSET\n(3,16)\n\"];\n");
  HAS(text, "label=\"2\nMEMCPY\n(DtoH,16)\n\"];\n");
  HAS(text, "label=\"3\nHOST\n\"];\n");
  HAS(text, "label=\"4\ngraph_3\n\"];\n"); // the node's copy of the second graph
  HAS(text, "label=\"5\nEMPTY\n\"];\n");
  HAS(text, "label=\"6\nEVENT_RECORD\n\"];\n");
  for (const char *edge : {"0\" -> \"graph_1_node_1", "0\" -> \"graph_1_node_2", "1\" -> \"graph_1_node_2",
                           "2\" -> \"graph_1_node_3", "3\" -> \"graph_1_node_4", "5\" -> \"graph_1_node_6"})
    HAS(text, (std::string("\"graph_1_node_") + edge + "\";\n").c_str());
  HAS(text, "}\nsubgraph cluster_3 {\nlabel=\"graph_3\" graph[style=\"dashed\"];\n\"graph_3_node_0\"[");
  TRUE(text.substr(text.size() - 5) == "\n}\n}\n");
  HAS(drawn(graph, cudaGraphDebugDotFlagsKernelNodeParams), "fill\n\\<\\<\\<2,16,0\\>\\>\\>");
  HAS(drawn(graph, cudaGraphDebugDotFlagsHandles), "HOST\nnode handle: 0x0000");
  HAS(drawn(graph, cudaGraphDebugDotFlagsVerbose), "userData: 0x0000");
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(child));
}

#if CUDART_VERSION >= 13000
static cudaGraphNodeParams fill_of(void **arguments, unsigned threads) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = (void *)fill;
  params.kernel.gridDim = 1;
  params.kernel.blockDim = threads;
  params.kernel.kernelParams = arguments;
  return params;
}

static void set_parameters() {
  const cudaGraph_t graph = new_graph();
  cudaGraphNode_t nodes[3];
  cudaGraphExec_t exec;
  int *p, value = 5, got[8] = {}, calls = 0;
  void *arguments[] = {&p, &value};
  OK(cudaMalloc(&p, sizeof got));
  OK(cudaMemset(p, 0, sizeof got));
  cudaGraphNodeParams kernel = fill_of(arguments, 1), set = {}, call = {}, empty = {};
  set.type = cudaGraphNodeTypeMemset;
  set.memset.dst = p + 4, set.memset.elementSize = 4, set.memset.width = 1, set.memset.height = 1;
  set.memset.value = 8;
  call.type = cudaGraphNodeTypeHost;
  call.host.fn = [](void *count) { ++*(int *)count; };
  call.host.userData = &calls;
  OK(cudaGraphAddNode(&nodes[0], graph, nullptr, nullptr, 0, &kernel));
  OK(cudaGraphAddNode(&nodes[1], graph, nodes, nullptr, 1, &set));
  OK(cudaGraphAddNode(&nodes[2], graph, &nodes[1], nullptr, 1, &call));
  INVALID(cudaGraphNodeSetParams(nodes[0], &set)); // of another type
  INVALID(cudaGraphNodeSetParams(nodes[0], nullptr));
  INVALID(cudaGraphNodeSetParams(nullptr, &set));
  empty.type = cudaGraphNodeTypeEmpty;
  INVALID(cudaGraphNodeSetParams(nodes[0], &empty));
  set.reserved2 = 1;
  INVALID(cudaGraphNodeSetParams(nodes[1], &set));
  set.reserved2 = 0;
  value = 6, kernel = fill_of(arguments, 2), set.memset.value = 9;
  OK(cudaGraphNodeSetParams(nodes[0], &kernel));
  OK(cudaGraphNodeSetParams(nodes[1], &set));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, nullptr));
  OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDefault));
  TRUE(got[0] == 6 && got[1] == 6 && got[2] == 0 && got[4] == 9 && calls == 1);
  value = 7, kernel = fill_of(arguments, 3), set.memset.value = 10;
  INVALID(cudaGraphExecNodeSetParams(exec, nodes[1], &kernel));
  INVALID(cudaGraphExecNodeSetParams(nullptr, nodes[0], &kernel));
  OK(cudaGraphExecNodeSetParams(exec, nodes[0], &kernel));
  OK(cudaGraphExecNodeSetParams(exec, nodes[1], &set));
  call.host.userData = &value;
  OK(cudaGraphExecNodeSetParams(exec, nodes[2], &call));
  OK(cudaGraphLaunch(exec, nullptr));
  OK(cudaMemcpy(got, p, sizeof got, cudaMemcpyDefault));
  TRUE(got[0] == 7 && got[2] == 7 && got[3] == 0 && got[4] == 10 && calls == 1 && value == 8);
  cudaKernelNodeParams plain;
  OK(cudaGraphKernelNodeGetParams(nodes[0], &plain));
  TRUE(plain.blockDim.x == 2); // the graph's node stays as it is

  cudaGraphNode_t last;
  OK(cudaGraphAddNode(&last, graph, nullptr, nullptr, 0, &empty));
  OK(cudaGraphNodeSetParams(last, &empty));
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
}

static void set_children() {
  const cudaGraph_t graph = new_graph(), child = new_graph(), other = new_graph();
  cudaGraphNode_t node, inner;
  cudaGraphExec_t exec;
  int *p, value = 5, got = 0;
  void *arguments[] = {&p, &value};
  OK(cudaMalloc(&p, 4));
  cudaGraphNodeParams kernel = fill_of(arguments, 1), params = {};
  OK(cudaGraphAddNode(&inner, child, nullptr, nullptr, 0, &kernel));
  value = 6;
  OK(cudaGraphAddNode(&inner, other, nullptr, nullptr, 0, &kernel));
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = child;
  OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  params.graph.graph = other;
  OK(cudaGraphNodeSetParams(node, &params));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, nullptr));
  OK(cudaMemcpy(&got, p, 4, cudaMemcpyDefault));
  TRUE(got == 6);
  params.graph.graph = child;
  OK(cudaGraphExecNodeSetParams(exec, node, &params));
  OK(cudaGraphLaunch(exec, nullptr));
  OK(cudaMemcpy(&got, p, 4, cudaMemcpyDefault));
  TRUE(got == 5);
}
#endif

static void attributes() {
  const cudaGraph_t graph = new_graph();
  cudaGraphNode_t a, b, empty;
  int *p, value = 1;
  void *arguments[] = {&p, &value};
  cudaKernelNodeAttrValue v = {};
  OK(cudaMalloc(&p, 64));
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)fill, kernel.gridDim = 2, kernel.blockDim = 16, kernel.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&a, graph, nullptr, 0, &kernel));
  OK(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &kernel));
  OK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  v.cooperative = 9;
  OK(cudaGraphKernelNodeGetAttribute(a, cudaKernelNodeAttributeCooperative, &v));
  TRUE(v.cooperative == 0);
  INVALID(cudaGraphKernelNodeGetAttribute(empty, cudaKernelNodeAttributeCooperative, &v));
  v.cooperative = 1;
  OK(cudaGraphKernelNodeSetAttribute(a, cudaKernelNodeAttributeCooperative, &v));
  OK(cudaGraphKernelNodeSetParams(a, &kernel)); // leaves the attributes
  v.cooperative = 9;
  OK(cudaGraphKernelNodeGetAttribute(a, cudaKernelNodeAttributeCooperative, &v));
  TRUE(v.cooperative == 1);
  OK(cudaGraphKernelNodeCopyAttributes(b, a));
  v.cooperative = 9;
  OK(cudaGraphKernelNodeGetAttribute(b, cudaKernelNodeAttributeCooperative, &v));
  TRUE(v.cooperative == 1);
  v = {};
  OK(cudaGraphKernelNodeGetAttribute(a, cudaKernelNodeAttributeAccessPolicyWindow, &v));
  TRUE(v.accessPolicyWindow.num_bytes == 0);
  v.accessPolicyWindow = {p, 64, 0.5f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
  OK(cudaGraphKernelNodeSetAttribute(a, cudaKernelNodeAttributeAccessPolicyWindow, &v));
  v = {};
  OK(cudaGraphKernelNodeGetAttribute(a, cudaKernelNodeAttributeAccessPolicyWindow, &v));
  TRUE(v.accessPolicyWindow.base_ptr == p && v.accessPolicyWindow.num_bytes == 64);
}

int main() {
  return run_parts({
    {"references", references}, {"held by graphs", held_by_graphs}, {"held by copies", held_by_copies},
        {"held by parents", held_by_parents}, {"held by updates", held_by_updates},
        {"drawn graphs", drawn_graphs}, {"attributes", attributes},
#if CUDART_VERSION >= 13000
        {"set parameters", set_parameters}, {"set children", set_children},
#endif
  });
}
