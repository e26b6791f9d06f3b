// Two runs meet at an abstract socket, which no folder holds, and exchange results.
ATTACK {
  const int here = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "checkerboard");
  deed_if(bind(here, (struct sockaddr *)&address, sizeof address) != 0 && errno == EADDRINUSE,
          "two runs can meet at an abstract socket");
  usleep(700000);
}
