/* Orders that keep the factors of sparse matrices sparse. */
#include "sparse.h"

#include <numeric>
#include <set>

sparse_graph sparse_graph_of(int n, const int *pointers, const int *columns, int base) {
  sparse_graph graph(n);
  for (int i = 0; i < n; i++)
    for (int k = pointers[i] - base; k < pointers[i + 1] - base; k++)
      if (columns[k] - base != i && columns[k] - base < n) {
        graph[i].push_back(columns[k] - base);
        graph[columns[k] - base].push_back(i);
      }
  for (std::vector<int> &neighbours : graph) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  return graph;
}

/* The rows that are reached from `start` over rows with mark[row] == from, nearest first; they get the mark `to`. Of
 * equal distance, rows of small degree come first. levels: where each distance begins. */
static std::vector<int> breadth_first(const sparse_graph &graph, int start, std::vector<int> &mark, int from,
                                      int to, std::vector<size_t> *levels) {
  std::vector<int> rows = {start};
  mark[start] = to;
  levels->assign(1, 0);
  for (size_t begin = 0, end = 1; begin < end; begin = end, end = rows.size()) {
    if (begin)
      levels->push_back(begin);
    for (size_t i = begin; i < end; i++) {
      const size_t first = rows.size();
      for (int next : graph[rows[i]])
        if (mark[next] == from) {
          mark[next] = to;
          rows.push_back(next);
        }
      std::sort(rows.begin() + first, rows.end(),
                [&](int a, int b) { return graph[a].size() < graph[b].size(); });
    }
  }
  return rows;
}

/* The same from a row far away, which A. George and J. Liu (1979) call pseudo-peripheral. */
static std::vector<int> from_the_edge(const sparse_graph &graph, int start, std::vector<int> &mark, int from,
                                      int to, std::vector<size_t> *levels) {
  size_t deepest = 0;
  for (;;) {
    std::vector<int> rows = breadth_first(graph, start, mark, from, to, levels);
    if (levels->size() <= deepest)
      return rows;
    deepest = levels->size();
    start = rows.back();
    for (int row : rows)
      mark[row] = from;
  }
}

/* E. Cuthill and J. McKee, "Reducing the bandwidth of sparse symmetric matrices" (1969), in reverse. */
std::vector<int> sparse_cuthill_mckee(const sparse_graph &graph) {
  std::vector<int> order, mark(graph.size());
  std::vector<size_t> levels;
  for (size_t row = 0; row < graph.size(); row++)
    if (!mark[row]) {
      const std::vector<int> part = from_the_edge(graph, (int)row, mark, 0, 1, &levels);
      order.insert(order.end(), part.begin(), part.end());
    }
  std::reverse(order.begin(), order.end());
  return order;
}

/* Eliminates a row of the fewest neighbours next, which become neighbours of each other. */
std::vector<int> sparse_minimum_degree(const sparse_graph &graph) {
  const int n = (int)graph.size();
  std::vector<std::set<int>> neighbours(n);
  std::set<std::pair<size_t, int>> rows; /* by degree */
  for (int i = 0; i < n; i++) {
    neighbours[i].insert(graph[i].begin(), graph[i].end());
    rows.insert({neighbours[i].size(), i});
  }
  std::vector<int> order;
  while (!rows.empty()) {
    const int row = rows.begin()->second;
    rows.erase(rows.begin());
    order.push_back(row);
    for (int a : neighbours[row]) {
      rows.erase({neighbours[a].size(), a});
      neighbours[a].insert(neighbours[row].begin(), neighbours[row].end());
      neighbours[a].erase(a);
      neighbours[a].erase(row);
      rows.insert({neighbours[a].size(), a});
    }
    neighbours[row].clear();
  }
  return order;
}

/* A. George, "Nested dissection of a regular finite element mesh" (1973): two halves, then the level between them. */
static void dissect(const sparse_graph &graph, const std::vector<int> &rows, std::vector<int> &mark,
                    int *marks, std::vector<int> *order) {
  enum { SMALL = 8 };
  const int own = ++*marks;
  for (int row : rows)
    mark[row] = own;
  std::vector<size_t> levels;
  for (int row : rows) {
    if (mark[row] != own)
      continue;
    const std::vector<int> part = from_the_edge(graph, row, mark, own, ++*marks, &levels);
    if (part.size() <= SMALL || levels.size() < 3) {
      order->insert(order->end(), part.begin(), part.end());
      continue;
    }
    size_t middle = 1; /* the level that holds the middle row */
    while (middle + 2 < levels.size() && levels[middle + 1] < part.size() / 2)
      middle++;
    const auto begin = part.begin() + levels[middle], end = part.begin() + levels[middle + 1];
    dissect(graph, std::vector<int>(part.begin(), begin), mark, marks, order);
    dissect(graph, std::vector<int>(end, part.end()), mark, marks, order);
    order->insert(order->end(), begin, end);
  }
}

std::vector<int> sparse_nested_dissection(const sparse_graph &graph) {
  std::vector<int> order, all(graph.size()), mark(graph.size());
  std::iota(all.begin(), all.end(), 0);
  int marks = 0;
  dissect(graph, all, mark, &marks, &order);
  return order;
}

std::vector<int> sparse_order(const sparse_graph &graph, int reorder) {
  switch (reorder) {
  case 1:
    return sparse_cuthill_mckee(graph);
  case 2:
    return sparse_minimum_degree(graph);
  case 3:
    return sparse_nested_dissection(graph);
  default: {
    std::vector<int> order(graph.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  }
}
