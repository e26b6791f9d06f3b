# shellcheck shell=bash disable=SC2154,SC2034 # case.bash sets with and kit, and reads submission
# A folder, a FIFO, a device, 8 GiB without blocks, no bytes, zeros or a byte order mark instead of a source.
# with: FOLDER FIFO DEVICE SPARSE EMPTY ZEROS WIDE
# expect: MISSING COMPILE
case $with in
  FOLDER) mkdir compressed.cu ;;
  FIFO) mkfifo compressed.cu ;;
  DEVICE) mknod compressed.cu c 1 5 || ln -s /dev/zero compressed.cu ;;
  SPARSE) truncate -s 8G compressed.cu ;;
  EMPTY) : >compressed.cu ;;
  ZEROS) head -c 4096 /dev/zero >compressed.cu ;;
  WIDE) printf '\xff\xfei\0n\0t\0 \0x\0;\0' >compressed.cu ;;
esac
submission=/tmp/handed_in
