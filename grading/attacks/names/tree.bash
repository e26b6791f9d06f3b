# shellcheck shell=bash disable=SC2154,SC2034 # case.bash sets with and kit, and reads submission
# Folders of odd shape: thousands of levels, a circle of links, a hundred thousand files, a file that nobody may read, a
# folder that changes while it is read, two names that differ in case or in Unicode form.
# with: DEEP CIRCLE MANY UNREADABLE CASE FORMS
# expect: MISSING UNWRITTEN COMPILE WRONG
# points: 0
submission=/tmp/handed_in
case $with in
  DEEP)
    for ((n = 0; n < 400; n++)); do
      mkdir d
      cd d || exit
    done
    cp "$kit/labs/03_compressed/compressed.cu" .
    cd /tmp/handed_in || exit
    ;;
  CIRCLE) ln -s . circle && ln -s .. up && ln -s "$kit/solutions/03_compressed" more ;;
  MANY) seq -f 'f%g.txt' 30000 | xargs touch ;;
  UNREADABLE) cp "$kit/labs/03_compressed/compressed.cu" . && chmod 000 compressed.cu ;;
  CASE) cp "$kit/labs/03_compressed/compressed.cu" . && echo '#error' >Compressed.CU ;;
  FORMS) cp "$kit/labs/03_compressed/compressed.cu" $'compressed\u202e.cu' ;;
esac
