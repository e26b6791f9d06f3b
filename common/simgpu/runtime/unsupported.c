/* Calls that the simulated device does not offer. Each says so once and returns cudaErrorNotSupported.
 *
 * They are defined without their parameters and without the toolkit's prototypes, which differ between
 * versions: nothing reads the parameters, and a C caller passes them the same way. */
#include "unsupported.h"

/* clang-format off */
#define UNSUPPORTED(name) cudaError_t name(void) { static bool told; return unsupported(#name, &told); }

/* arrays, textures and surfaces */
UNSUPPORTED(cudaArrayGetInfo) UNSUPPORTED(cudaArrayGetMemoryRequirements) UNSUPPORTED(cudaArrayGetPlane)
UNSUPPORTED(cudaArrayGetSparseProperties) UNSUPPORTED(cudaCreateSurfaceObject)
UNSUPPORTED(cudaCreateTextureObject) UNSUPPORTED(cudaDestroySurfaceObject)
UNSUPPORTED(cudaDestroyTextureObject) UNSUPPORTED(cudaDeviceGetTexture1DLinearMaxWidth)
UNSUPPORTED(cudaExternalMemoryGetMappedMipmappedArray) UNSUPPORTED(cudaFreeArray)
UNSUPPORTED(cudaFreeMipmappedArray) UNSUPPORTED(cudaGetChannelDesc) UNSUPPORTED(cudaGetMipmappedArrayLevel)
UNSUPPORTED(cudaGetSurfaceObjectResourceDesc) UNSUPPORTED(cudaGetTextureObjectResourceDesc)
UNSUPPORTED(cudaGetTextureObjectResourceViewDesc) UNSUPPORTED(cudaGetTextureObjectTextureDesc)
UNSUPPORTED(cudaGraphicsResourceGetMappedMipmappedArray) UNSUPPORTED(cudaGraphicsSubResourceGetMappedArray)
UNSUPPORTED(cudaMalloc3DArray) UNSUPPORTED(cudaMallocArray) UNSUPPORTED(cudaMallocMipmappedArray)
UNSUPPORTED(cudaMemcpy2DArrayToArray) UNSUPPORTED(cudaMemcpy2DFromArray)
UNSUPPORTED(cudaMemcpy2DFromArrayAsync) UNSUPPORTED(cudaMemcpy2DToArray) UNSUPPORTED(cudaMemcpy2DToArrayAsync)
UNSUPPORTED(cudaMemcpyArrayToArray) UNSUPPORTED(cudaMemcpyFromArray) UNSUPPORTED(cudaMemcpyFromArrayAsync)
UNSUPPORTED(cudaMemcpyToArray) UNSUPPORTED(cudaMemcpyToArrayAsync)
UNSUPPORTED(cudaMipmappedArrayGetMemoryRequirements) UNSUPPORTED(cudaMipmappedArrayGetSparseProperties)

/* parts of graphs */
UNSUPPORTED(cudaDeviceGetGraphMemAttribute) UNSUPPORTED(cudaDeviceGraphMemTrim)
UNSUPPORTED(cudaDeviceSetGraphMemAttribute) UNSUPPORTED(cudaGraphAddExternalSemaphoresSignalNode)
UNSUPPORTED(cudaGraphAddExternalSemaphoresWaitNode) UNSUPPORTED(cudaGraphAddMemAllocNode)
UNSUPPORTED(cudaGraphAddMemFreeNode) UNSUPPORTED(cudaGraphAddNode)
UNSUPPORTED(cudaGraphConditionalHandleCreate) UNSUPPORTED(cudaGraphDebugDotPrint)
UNSUPPORTED(cudaGraphExecExternalSemaphoresSignalNodeSetParams)
UNSUPPORTED(cudaGraphExecExternalSemaphoresWaitNodeSetParams) UNSUPPORTED(cudaGraphExecNodeSetParams)
UNSUPPORTED(cudaGraphExternalSemaphoresSignalNodeGetParams)
UNSUPPORTED(cudaGraphExternalSemaphoresSignalNodeSetParams)
UNSUPPORTED(cudaGraphExternalSemaphoresWaitNodeGetParams)
UNSUPPORTED(cudaGraphExternalSemaphoresWaitNodeSetParams) UNSUPPORTED(cudaGraphKernelNodeCopyAttributes)
UNSUPPORTED(cudaGraphKernelNodeGetAttribute) UNSUPPORTED(cudaGraphKernelNodeSetAttribute)
UNSUPPORTED(cudaGraphMemAllocNodeGetParams) UNSUPPORTED(cudaGraphMemFreeNodeGetParams)
UNSUPPORTED(cudaGraphNodeSetParams) UNSUPPORTED(cudaGraphReleaseUserObject)
UNSUPPORTED(cudaGraphRetainUserObject) UNSUPPORTED(cudaStreamUpdateCaptureDependencies)
UNSUPPORTED(cudaUserObjectCreate) UNSUPPORTED(cudaUserObjectRelease) UNSUPPORTED(cudaUserObjectRetain)

/* managed memory */
UNSUPPORTED(cudaLibraryGetManaged) UNSUPPORTED(cudaMemDiscardAndPrefetchBatchAsync)
UNSUPPORTED(cudaMemDiscardBatchAsync) UNSUPPORTED(cudaMemPrefetchBatchAsync)
UNSUPPORTED(cudaMemRangeGetAttribute) UNSUPPORTED(cudaMemRangeGetAttributes)

/* Advice on where managed memory should lie, which is nowhere in particular here. */
#define ADVICE(name) cudaError_t name(void) { return cudaSuccess; }
ADVICE(cudaMemAdvise) ADVICE(cudaMemPrefetchAsync) ADVICE(cudaStreamAttachMemAsync)

/* memory pools of other places and processes */
UNSUPPORTED(cudaMemGetDefaultMemPool) UNSUPPORTED(cudaMemGetMemPool) UNSUPPORTED(cudaMemPoolExportPointer)
UNSUPPORTED(cudaMemPoolExportToShareableHandle) UNSUPPORTED(cudaMemPoolImportFromShareableHandle)
UNSUPPORTED(cudaMemPoolImportPointer) UNSUPPORTED(cudaMemSetMemPool)

/* other devices, processes and interfaces */
UNSUPPORTED(cudaDestroyExternalMemory) UNSUPPORTED(cudaDestroyExternalSemaphore)
UNSUPPORTED(cudaDeviceFlushGPUDirectRDMAWrites) UNSUPPORTED(cudaDeviceGetNvSciSyncAttributes)
UNSUPPORTED(cudaDeviceGetP2PAtomicCapabilities) UNSUPPORTED(cudaDeviceGetP2PAttribute)
UNSUPPORTED(cudaExternalMemoryGetMappedBuffer) UNSUPPORTED(cudaGraphicsMapResources)
UNSUPPORTED(cudaGraphicsResourceGetMappedPointer) UNSUPPORTED(cudaGraphicsResourceSetMapFlags)
UNSUPPORTED(cudaGraphicsUnmapResources) UNSUPPORTED(cudaGraphicsUnregisterResource)
UNSUPPORTED(cudaImportExternalMemory) UNSUPPORTED(cudaImportExternalSemaphore)
UNSUPPORTED(cudaIpcCloseMemHandle) UNSUPPORTED(cudaIpcGetEventHandle) UNSUPPORTED(cudaIpcGetMemHandle)
UNSUPPORTED(cudaIpcOpenEventHandle) UNSUPPORTED(cudaIpcOpenMemHandle) UNSUPPORTED(cudaMemcpy3DPeer)
UNSUPPORTED(cudaMemcpy3DPeerAsync) UNSUPPORTED(cudaSignalExternalSemaphoresAsync)
UNSUPPORTED(cudaWaitExternalSemaphoresAsync)

/* the driver and its libraries */
UNSUPPORTED(cudaGetDriverEntryPoint) UNSUPPORTED(cudaGetDriverEntryPointByVersion)
UNSUPPORTED(cudaGetExportTable) UNSUPPORTED(cudaKernelSetAttributeForDevice)
UNSUPPORTED(cudaLibraryEnumerateKernels) UNSUPPORTED(cudaLibraryGetGlobal) UNSUPPORTED(cudaLibraryGetKernel)
UNSUPPORTED(cudaLibraryGetKernelCount) UNSUPPORTED(cudaLibraryGetUnifiedFunction)
UNSUPPORTED(cudaLibraryLoadData) UNSUPPORTED(cudaLibraryLoadFromFile) UNSUPPORTED(cudaLibraryUnload)

/* others */
UNSUPPORTED(cudaDeviceGetHostAtomicCapabilities) UNSUPPORTED(cudaDeviceRegisterAsyncNotification)
UNSUPPORTED(cudaDeviceUnregisterAsyncNotification) UNSUPPORTED(cudaLogsCurrent)
UNSUPPORTED(cudaLogsDumpToFile) UNSUPPORTED(cudaLogsDumpToMemory) UNSUPPORTED(cudaLogsRegisterCallback)
UNSUPPORTED(cudaLogsUnregisterCallback) UNSUPPORTED(cudaMemcpy3DBatchAsync) UNSUPPORTED(cudaMemcpyBatchAsync)
UNSUPPORTED(cudaOccupancyMaxActiveClusters) UNSUPPORTED(cudaOccupancyMaxPotentialClusterSize)
UNSUPPORTED(cudaStreamCopyAttributes) UNSUPPORTED(cudaStreamGetAttribute) UNSUPPORTED(cudaStreamSetAttribute)
