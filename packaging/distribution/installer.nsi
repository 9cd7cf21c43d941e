; The installer for Windows, for one user, without an administrator. Run by windows.py with FOLDER,
; PICTURE, OUT and VERSION. It removes only its own files and, if the user asks for it, the folder of the games.
Target amd64-unicode
!include MUI2.nsh

Name "LanUNO"
OutFile "${OUT}"
RequestExecutionLevel user
ManifestDPIAware true
SpaceTexts none
BrandingText "LanUNO ${VERSION}"
InstallDir "$LOCALAPPDATA\Programs\LanUNO"
SetCompressor /SOLID lzma
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "LanUNO"
VIAddVersionKey FileDescription "LanUNO ${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright "MIT"

!define CLASSES "Software\Classes"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\LanUNO"
!define IN_USE 3 ; exit code: the program is open
!define MUI_ICON "${FOLDER}/lanuno.ico"
!define MUI_UNICON "${FOLDER}/lanuno.ico"
!define MUI_COMPONENTSPAGE_NODESC
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PICTURE}"
!define MUI_WELCOMEPAGE_TEXT "$(Welcome)"
!define MUI_FINISHPAGE_RUN "$INSTDIR\LanUNO.exe"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_COMPONENTS
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English
!insertmacro MUI_LANGUAGE Spanish

LangString Welcome ${LANG_ENGLISH} "LanUNO is installed for you alone, so no administrator is needed. If an older version is installed, it is replaced; your games and settings stay."
LangString Welcome ${LANG_SPANISH} "LanUNO se instala solo para ti, así que no hace falta un administrador. Si hay una versión anterior, se sustituye; tus partidas y ajustes se quedan."
LangString Open ${LANG_ENGLISH} "LanUNO is open. Close it, then try again."
LangString Open ${LANG_SPANISH} "LanUNO está abierto. Ciérralo y vuelve a intentarlo."
LangString Game ${LANG_ENGLISH} "LanUNO game"
LangString Game ${LANG_SPANISH} "Partida de LanUNO"
LangString Games ${LANG_ENGLISH} "Saved games, settings and your key"
LangString Games ${LANG_SPANISH} "Partidas guardadas, ajustes y tu clave"

; Remove the program, but no file that is not its own: the folder may be one that the user has named.
; A file that runs cannot be deleted, so the interpreter is tried before anything else.
!macro RemoveProgram
    ${Do}
        ClearErrors
        Delete "$INSTDIR\python\python313.dll"
        ${IfNot} ${Errors}
            ${ExitDo}
        ${EndIf}
        ${If} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Open)" /SD IDCANCEL IDCANCEL`
            SetErrorLevel ${IN_USE}
            Quit
        ${EndIf}
    ${Loop}
    RMDir /r "$INSTDIR\bin"
    RMDir /r "$INSTDIR\licences"
    RMDir /r "$INSTDIR\python"
    RMDir /r "$INSTDIR\site"
    Delete "$INSTDIR\lanuno.ico"
    Delete "$INSTDIR\LanUNO.exe"
    Delete "$INSTDIR\LICENSE.txt"
    Delete "$INSTDIR\README.txt"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
!macroend

Section "LanUNO"
    !insertmacro RemoveProgram
    SetOutPath "$INSTDIR"
    File /r "${FOLDER}/*"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\LanUNO.lnk" "$INSTDIR\LanUNO.exe" "" "$INSTDIR\lanuno.ico"

    WriteRegStr HKCU "${CLASSES}\.lanuno" "" "LanUNO.Game"
    WriteRegStr HKCU "${CLASSES}\LanUNO.Game" "" "$(Game)"
    WriteRegStr HKCU "${CLASSES}\LanUNO.Game\DefaultIcon" "" "$INSTDIR\lanuno.ico"
    WriteRegStr HKCU "${CLASSES}\LanUNO.Game\shell\open\command" "" '"$INSTDIR\LanUNO.exe" open "%1"'
    WriteRegStr HKCU "${CLASSES}\lanuno" "" "URL:LanUNO"
    WriteRegStr HKCU "${CLASSES}\lanuno" "URL Protocol" ""
    WriteRegStr HKCU "${CLASSES}\lanuno\DefaultIcon" "" "$INSTDIR\lanuno.ico"
    WriteRegStr HKCU "${CLASSES}\lanuno\shell\open\command" "" '"$INSTDIR\LanUNO.exe" join "%1"'
    System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'

    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "LanUNO"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\lanuno.ico"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section "un.LanUNO"
    SectionIn RO
    !insertmacro RemoveProgram
    Delete "$SMPROGRAMS\LanUNO.lnk"
    DeleteRegKey HKCU "${CLASSES}\.lanuno"
    DeleteRegKey HKCU "${CLASSES}\LanUNO.Game"
    DeleteRegKey HKCU "${CLASSES}\lanuno"
    DeleteRegKey HKCU "${UNINSTALL}"
    System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

Section /o "un.$(Games)"
    RMDir /r "$LOCALAPPDATA\lanuno"
SectionEnd
