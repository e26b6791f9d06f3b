// Opens a socket to the host of a virtual machine, which network namespaces of older kernels do not confine.
ATTACK { deed_if(socket(40 /* AF_VSOCK */, SOCK_STREAM, 0) >= 0, "a vsock can be opened"); }
