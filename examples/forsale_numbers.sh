#!/bin/sh
# For Sale over its own protocol: a JSON line comes in, a number goes out. Try it:
#   parlour match forsale "exec+forsale:sh examples/forsale_numbers.sh" minimum random
while read -r request; do
    case $request in
        *'"part":1'*'"record":0'*) echo 1 ;;  # nobody has bid yet: bid one coin
        *'"part":1'*) echo 0 ;;               # pass
        *'"part":2'*) hand=${request##*\"hand\":[}; hand=${hand%%]*}; echo "${hand##*,}" ;;  # sell the best
    esac
done
