# shellcheck shell=bash disable=SC2154,SC2034 # case.bash sets with and kit, and reads submission
# Archives with paths that leave the folder, links, devices, names of absolute paths, and very much in very little.
# with: PARENT ABSOLUTE LINK HARD_LINK DEVICE BOMB MANY NESTED DAMAGED
# expect: MISSING COMPILE UNWRITTEN WRONG
# seconds: 120
mkdir in
cd in || exit
cp "$kit/labs/03_compressed/compressed.cu" .
archive=../submission.tar
case $with in
  PARENT) tar -cPf $archive --transform 's|^|../../../tmp/|' compressed.cu ;;
  ABSOLUTE) tar -cPf $archive --transform 's|^|/srv/secret/|' compressed.cu ;;
  LINK) ln -sf /srv/secret/word compressed.cu && tar -cf $archive compressed.cu ;;
  HARD_LINK) ln compressed.cu other.cu && tar -cf $archive other.cu compressed.cu && tar --delete -f $archive other.cu ;;
  DEVICE) rm compressed.cu && mkfifo compressed.cu && tar -cf $archive compressed.cu ;;
  BOMB) truncate -s 3G compressed.cu && tar -czf ${archive}.gz compressed.cu && archive+=.gz ;;
  MANY)
    mkdir many
    (cd many && seq -f 'x%g.txt' 30000 | xargs touch)
    tar -czf ${archive}.gz many compressed.cu && archive+=.gz
    ;;
  NESTED) tar -czf inner.tar.gz compressed.cu && tar -czf ${archive}.gz inner.tar.gz && archive+=.gz ;;
  DAMAGED) tar -czf ${archive}.gz compressed.cu && truncate -s -100 ${archive}.gz && archive+=.gz ;;
esac
cd .. && rm -r in
submission=/tmp/handed_in/${archive#../}
