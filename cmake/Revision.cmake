# cmake -D SOURCE=... -D HEADER=... -P Revision.cmake: writes the revision of the tree that is built into HEADER, if it
# changed. Run by each build, for a commit between two builds configures nothing.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty
                OUTPUT_VARIABLE revision ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define SHARPZERO_GIT_REVISION \"${revision}\"\n")
