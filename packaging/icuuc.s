# Wine lacks icuuc.dll, of which Qt imports these functions, for codecs that Qt has not itself. This
# stands in: it has no codec, and LanUNO needs none. To make it:
#
#   x86_64-w64-mingw32-as icuuc.s -o icuuc.o
#   x86_64-w64-mingw32-ld -shared --export-all-symbols -e 0 icuuc.o -o icuuc.dll

.macro nothing name, more:vararg
.globl \name
\name:
.ifnb \more
nothing \more
.endif
.endm

nothing UCNV_FROM_U_CALLBACK_SUBSTITUTE, UCNV_TO_U_CALLBACK_SUBSTITUTE, ucnv_cbFromUWriteUChars
nothing ucnv_cbToUWriteUChars, ucnv_close, ucnv_countAvailable, ucnv_fromUCountPending
nothing ucnv_fromUnicode, ucnv_getAvailableName, ucnv_getFromUCallBack, ucnv_getMaxCharSize
nothing ucnv_getName, ucnv_getStandardName, ucnv_getToUCallBack, ucnv_reset, ucnv_setFromUCallBack
nothing ucnv_setToUCallBack, ucnv_toUCountPending, ucnv_toUnicode
        xor     %eax, %eax
        ret

.globl ucnv_open
ucnv_open:                              # (name, error): U_FILE_ACCESS_ERROR
        movl    $4, (%rdx)
        xor     %eax, %eax
        ret
