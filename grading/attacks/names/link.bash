# shellcheck shell=bash disable=SC2154,SC2034 # case.bash sets with and kit, and reads submission
# A link to the solution, or to a secret, instead of a source.
# with: SOLUTION SECRET ENDLESS
# expect: MISSING COMPILE
case $with in
  SOLUTION) ln -s "$kit/solutions/03_compressed/compressed.cu" compressed.cu ;;
  SECRET) ln -s /srv/secret/word compressed.cu ;;
  ENDLESS) ln -s compressed.cu compressed.cu ;;
esac
submission=/tmp/handed_in
