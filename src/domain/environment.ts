/** The effects of variables, by the names of the variables. */
type Rows = Readonly<Record<string, string>>;

/**
 * Every environment variable that this program reads, grouped by subject, each with its effect. Variables that give a
 * flag its value are in the table of flags instead, as `env`. A test checks that the program reads no other variable.
 */
export const variables = {
  'This program': {
    SETUP_ADMIN_PASSWORD: 'the password of `--admin-username`, unless you pass `--admin-password-stdin`',
    SETUP_COMMAND: 'the name of this program in its texts; set it if your script starts the program under another name',
    SETUP_PLAIN: 'like `--plain`: draw and print only ASCII characters',
    SETUP_SIGNALS:
      '`off`: the wizard does not set the title of the terminal’s tab, makes no links, and does not call you back from the browser',
    SETUP_WORKING_DIRECTORY: 'your working directory; the launcher sets it for the Node that it fetched',
    PLATFORM_SETUP_CHECK:
      'for the program itself, not for you: a check passes a mark to the bridge that it starts, and the bridge puts that mark on its failures',
  },
  'The terminal': {
    NO_COLOR: 'no colour, unless the variable is empty',
    FORCE_COLOR: '`0` or `false`: no colour; another number, `true` or empty: colour',
    CLICOLOR_FORCE: 'colour, unless the variable is empty or `0`',
    CLICOLOR: '`0`: no colour',
    COLORFGBG: 'the background of the terminal',
    REDUCED_MOTION: 'as little movement as possible',
    ACCESSIBLE: 'like `--accessible`: the wizard prints lines that stay, and you choose by number',
    INK_SCREEN_READER: 'like `ACCESSIBLE`',
    TERM: '`dumb`: lines that stay. `linux` and `dumb`: only ASCII characters. It also tells whether lines wrap, whether the terminal can report its background, whether its tab has a title, and how it shows a notification',
    TERM_PROGRAM: 'whether the terminal shows notifications; on Windows also, that it can show more than ASCII',
    KITTY_WINDOW_ID: 'the terminal is kitty, which shows notifications',
    WT_SESSION: 'on Windows: the terminal can show more than ASCII; Windows Terminal sets it',
    XTERM_VERSION: 'the terminal is xterm, which cuts lines off when its window becomes narrower',
    STY: 'the terminal is GNU screen, which cuts lines off like xterm',
    TMUX: 'a tmux session: the wizard copies text through tmux, and rings the bell in place of a notification',
    LC_ALL:
      'the locale; it comes before `LC_CTYPE` and `LANG`. It tells whether the terminal can show more than ASCII and whether it draws some characters wide. With `C` and `POSIX`, output to files and pipes is ASCII too',
    LC_CTYPE: 'the locale; it comes before `LANG`',
    LANG: 'the locale',
    CI: 'if no browser can be opened, a sign-in fails at once, because nobody would see the printed address. `--no-browser` prints it all the same',
    SHELL:
      'the shell for lines to copy: fish if the path ends in `fish`, otherwise a POSIX shell; on Windows, any value means a POSIX shell',
    MSYSTEM: 'on Windows: the shell for lines to copy is Git Bash or MSYS2',
    PSModulePath: 'on Windows: the shell for lines to copy is PowerShell',
  },
  'The browser': {
    BROWSER: 'a browser is available even without a display; ignored over SSH and in a container',
    DISPLAY: 'there is a display',
    WAYLAND_DISPLAY: 'like `DISPLAY`',
    SSH_CONNECTION:
      'an SSH session: the wizard opens no browser, and shows the `ssh -L` command that leads back to this machine',
    SSH_CLIENT: 'like `SSH_CONNECTION`',
    SSH_TTY: 'like `SSH_CONNECTION`',
    container: 'a container: the wizard opens no browser',
    WSL_DISTRO_NAME: 'WSL: the wizard opens the browser of Windows, and finds the assistants on the Windows side',
  },
  'The network': {
    https_proxy: 'the proxy for https',
    HTTPS_PROXY: 'like `https_proxy`, which comes first',
    http_proxy: 'the proxy for http',
    HTTP_PROXY: 'like `http_proxy`, which comes first',
    all_proxy: 'the proxy for both',
    ALL_PROXY: 'like `all_proxy`, which comes first',
    no_proxy: 'the hosts that need no proxy',
    NO_PROXY: 'like `no_proxy`, which comes first',
    NODE_EXTRA_CA_CERTS: 'a file with more certificate authorities to trust',
    SSL_CERT_FILE: 'like `NODE_EXTRA_CA_CERTS`',
    NODE_TLS_REJECT_UNAUTHORIZED:
      'nothing: the program always checks certificates. If the variable is `0`, `doctor` warns',
  },
  'Directories and accounts': {
    HOME: 'the home directory',
    USERPROFILE: 'like `HOME`, on Windows',
    APPDATA: 'on Windows: the directory of the config and of files of assistants',
    LOCALAPPDATA: 'on Windows: the directory of everything else and of files of assistants',
    ProgramFiles: 'on Windows: the directory in which an administrator puts settings of assistants',
    ProgramData: 'like `ProgramFiles`',
    XDG_CONFIG_HOME: 'the directory of the config, the credentials and files of assistants; by default `~/.config`',
    XDG_STATE_HOME: 'the directory of files that need no backup; by default `~/.local/state`',
    XDG_DATA_HOME: 'the directory of copies of this program and of files of assistants; by default `~/.local/share`',
    XDG_CACHE_HOME: 'the directory of compiled code; by default `~/.cache`',
    XDG_RUNTIME_DIR: 'on Linux: whether the system has a keyring',
    DBUS_SESSION_BUS_ADDRESS: 'like `XDG_RUNTIME_DIR`',
    NODE_COMPILE_CACHE: 'the directory in which Node keeps compiled code, instead of this program’s own',
    NODE_DISABLE_COMPILE_CACHE: 'Node keeps no compiled code',
    USER: 'your username, for the name of a new MCP client and for the `ssh -L` command',
    USERNAME: 'like `USER`, on Windows',
    USERDOMAIN: 'on Windows: your domain, for the access list of the credentials',
    SYSTEMROOT: 'on Windows: the directory that holds `icacls` and `cmd`',
    SystemRoot: 'like `SYSTEMROOT`',
  },
  'Programs that are started': {
    PATH: 'the directories in which this program looks for programs; it skips relative ones and those that a package manager added for one run',
    Path: 'like `PATH`, on Windows',
    PATHEXT: 'on Windows: the file extensions of programs',
    NODE_OPTIONS:
      'other programs that this program starts do not get it, except the PowerShell that opens a browser. This program itself gets it if it continues with the newer Node of a checkout, if it runs again in the background, and as a sandbox in a project with Yarn’s Plug’n’Play',
    KUBECONFIG: 'the cluster that `kubectl` and `helm` ask',
    KUBERNETES_SERVICE_HOST: 'the program runs in a pod: `kubectl` and `helm` ask the cluster of the pod',
    HELM_KUBECONTEXT: 'the kube context of the cluster that `helm` asks',
    HELM_KUBEAPISERVER: 'the address of the cluster that `helm` asks',
    npm_config_user_agent:
      'names the package manager that started this program. The commands that the program suggests then use it. Other programs that this one starts get no `npm_…` variable, except the PowerShell that opens a browser',
    npm_execpath:
      'a package manager started this program. Other programs that this one starts then get no `npm_…` variable, except the PowerShell that opens a browser',
    npm_lifecycle_event: 'like `npm_execpath`',
    npm_command: 'like `npm_execpath`',
  },
  'Assistants: whether one of them started the program': {
    AI_AGENT:
      'an assistant started the program. Others are known by variables of their own, such as `CODEX_THREAD_ID` and `GEMINI_CLI`',
  },
  'Assistants: the directories of their files, and their trust in folders': {
    CLAUDE_CONFIG_DIR: 'Claude Code',
    CODEX_HOME: 'Codex CLI',
    COPILOT_HOME: 'GitHub Copilot CLI',
    COPILOT_ALLOW_ALL: 'GitHub Copilot CLI: it trusts every folder',
    OPENCODE_CONFIG_DIR: 'OpenCode',
    GEMINI_CLI_HOME: 'Gemini CLI',
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: 'Gemini CLI: the administrator’s settings',
    GEMINI_CLI_SYSTEM_DEFAULTS_PATH: 'Gemini CLI: the administrator’s defaults',
    GEMINI_CLI_TRUST_WORKSPACE: 'Gemini CLI: it trusts the folder',
    FLATPAK_XDG_CONFIG_HOME: 'Zed, as a Flatpak',
    CLINE_DIR: 'Cline',
    CLINE_DATA_DIR: 'Cline: its data directory',
    CLINE_MCP_SETTINGS_PATH: 'Cline: the file of its MCP servers',
    QWEN_HOME: 'Qwen Code',
    QWEN_CODE_MCP_APPROVALS_PATH: 'Qwen Code: the file of the approved servers',
    JUNIE_HOME: 'JetBrains Junie',
    KILO_CONFIG_DIR: 'Kilo Code',
    FACTORY_HOME_OVERRIDE: 'Factory Droid',
    CRUSH_GLOBAL_CONFIG: 'Crush',
    CRUSH_GLOBAL_DATA: 'Crush: its data directory',
    GROK_HOME: 'Grok Build',
    GROK_FOLDER_TRUST: 'Grok Build: `0` switches its check of folders off, so it trusts every folder',
    KIMI_CODE_HOME: 'Kimi Code',
    VIBE_HOME: 'Mistral Vibe',
    CONTINUE_GLOBAL_DIR: 'Continue',
  },
} as const satisfies Readonly<Record<string, Rows>>;

type Groups = typeof variables;

/** The name of a variable in the list. */
export type VariableName = {[Group in keyof Groups]: keyof Groups[Group]}[keyof Groups];
