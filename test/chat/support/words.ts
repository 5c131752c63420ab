/** The texts that the person types and reads, in one language. */
export interface Words {
  readonly name: string;
  /** VS Code's own texts in a language other than English: a real language pack is not available. */
  readonly language?: {
    readonly locale: string;
    readonly translations: Readonly<Record<string, string>>;
  };
  /** The picture of a card for the README, in `docs/images`, and for the walkthrough. */
  readonly picture: string;
  readonly cardPicture: string;
  readonly request: string;
  readonly buttons: { readonly session: string; readonly once: string; readonly skip: string };
  readonly picker: {
    readonly button: string;
    readonly extension: string;
    readonly startDebugging: string;
  };
  readonly titles: Readonly<
    Record<
      | 'breakpoint'
      | 'start'
      | 'evaluate'
      | 'step'
      | 'continue'
      | 'stop'
      | 'collect'
      | 'send'
      | 'heap'
      | 'hang'
      | 'writer'
      | 'back',
      string
    >
  >;
  readonly messages: {
    readonly breakpoint: (where: string, condition: string, line: string) => string;
    readonly start: (name: string, type: string, folder: string, program: string) => string;
    readonly evaluate: (expression: string, frame: string, where: string) => string;
    readonly step: (where: string, thread: string) => string;
    readonly continue: (where: string, thread: string) => string;
    readonly stop: (name: string) => string;
    readonly input: (text: string) => string;
    /** Writes a text, and closes the input. */
    readonly send: (text: string, name: string) => string;
    readonly heap: (name: string) => string;
    /** The texts that follow the lines of a start. */
    readonly startedHeap: (seconds: number) => string;
    readonly startedHang: (seconds: number) => string;
    readonly startedExceptions: (seconds: number) => string;
    readonly writer: (
      name: string,
      program: string,
      expression: string,
      frame: string,
      where: string,
    ) => string;
    readonly back: (name: string, program: string, where: string) => string;
    readonly trigger: (printed: string, request: string, body: string) => string;
    /** The text that follows the lines of a start. */
    readonly collect: (
      where: string,
      line: string,
      expressions: readonly string[],
      claim: string,
      most: readonly [times: number, seconds: number],
    ) => string;
  };
  /** The texts that the chat shows while a tool runs and afterwards. */
  readonly doing: { readonly configurations: string };
  /** The message about a breakpoint that the model receives while no session runs. */
  readonly noSession: string;
  /** The text in the status bar while an agent drives. */
  readonly agent: string;
}

export const english: Words = {
  name: 'English',
  picture: 'card.png',
  cardPicture: 'approve.png',
  request: 'Bo pays 4.50 for a cup that costs 5.00. Debug it and tell me why.',
  buttons: { session: 'Allow in this Session', once: 'Allow Once', skip: 'Skip' },
  picker: {
    button: 'Configure Tools...',
    extension: 'Agent Debugger',
    startDebugging: 'Starts a program under the debugger',
  },
  titles: {
    breakpoint: 'Set breakpoint',
    start: 'Start debugging',
    evaluate: 'Evaluate',
    step: 'Step over',
    continue: 'Continue',
    stop: 'Stop debugging',
    collect: 'Collect values',
    send: 'Send input',
    heap: 'Compare heaps',
    hang: 'Explain a hang',
    writer: 'Find writer',
    back: 'Go back',
  },
  messages: {
    breakpoint: (where, condition, line) => `Break at ${where} when ${condition}: ${line}`,
    start: (name, type, folder, program) =>
      `Start debugging ${name} (${type}) in ${folder} Runs ${program}`,
    evaluate: (expression, frame, where) =>
      `Evaluate ${expression} in ${frame} at ${where}; this can change the program`,
    step: (where, thread) => `Step over in ${where}, thread ${thread}`,
    continue: (where, thread) => `Continue from ${where}, thread ${thread}`,
    stop: (name) => `Stop the debug session ${name}`,
    input: (text) => `Its standard input is ${text}`,
    send: (text, name) => `Write ${text} to the standard input of ${name}, and close it`,
    heap: (name) =>
      `Halt ${name} for as long as its objects are counted (a second or more for a large heap), and then let it go on as before`,
    startedHeap: (seconds) =>
      `Two times, let it run for ${seconds} seconds and halt it for as long as its objects are counted Then the program is ended`,
    startedHang: (seconds) =>
      `After ${seconds} seconds, read what its threads and tasks wait for; it may be paused for that Then the program is ended`,
    startedExceptions: (seconds) =>
      `The program is paused briefly at each exception that it throws, also at a handled one, to read its type, message and place: within ${seconds} seconds Then the program is ended`,
    writer: (name, program, expression, frame, where) =>
      [
        `Start ${name} again, at most 6 times, within 60 seconds, and end it each time. Each run may go on to the end of the program. This session stays where it is`,
        `Runs ${program}`,
        `Read ${expression} in these runs and in ${frame} at ${where}, and what lines before it change, by code that is added to the program`,
        'Then do the same for the value that was assigned to it, up to 2 steps back',
      ].join(' '),
    back: (name, program, where) =>
      [
        `Start ${name} again, at most 3 times, within 60 seconds, and leave it stopped. Other sessions stay where they are`,
        `Runs ${program}`,
        `Stop it at ${where}, hit 1 and read its variables there. Code that counts the hits of this line is added to the program`,
      ].join(' '),
    trigger: (printed, request, body) =>
      `When it prints ${printed}: send ${request}; with the body ${body}`,
    collect: (where, line, expressions, claim, [times, seconds]) =>
      [
        `${where} ${line}: read ${expressions.join(', ')}; check that ${claim} holds`,
        'These expressions are evaluated in the program, by recording code that is added to it, by a script in the debugger, by logpoints, or by stopping there:',
        `at most ${times} times, within ${seconds} seconds`,
        'Then the program is ended',
      ].join(' '),
  },
  doing: { configurations: 'Reading the debug configurations' },
  noSession: 'No debug session is running. It is checked when one starts.',
  agent: 'Agent',
};

export const chinese: Words = {
  name: '简体中文',
  picture: 'card.zh-CN.png',
  cardPicture: 'approve.zh-cn.png',
  language: {
    locale: 'zh-cn',
    translations: {
      'Allow in this Session': '在此会话中允许',
      'Allow Once': '允许一次',
      'Allow in this Workspace': '在此工作区中允许',
      'Always Allow': '始终允许',
      Skip: '跳过',
      Input: '输入',
      'See more': '查看更多',
      'Show More': '显示更多',
      Chat: '聊天',
      'Describe what to build': '描述要构建的内容',
      'Build with Agent': '使用代理构建',
      'Finished with {0} steps': '已完成，共 {0} 步',
      '1 confirmation pending': '1 个待确认项',
      'Default permissions': '默认权限',
      Local: '本地',
      'Configure Tools...': '配置工具...',
      'Configure Tools': '配置工具',
      'Ln {0}, Col {1}': '行 {0}，列 {1}',
      'Spaces: {0}': '空格: {0}',
      'Layout: {0}': '布局: {0}',
    },
  },
  request: '杯子卖 5.00，Bo 却只付了 4.50。请调试并告诉我原因。',
  buttons: { session: '在此会话中允许', once: '允许一次', skip: '跳过' },
  picker: {
    button: '配置工具...',
    extension: 'Agent Debugger（智能体调试器）',
    startDebugging: '在调试器中启动程序',
  },
  titles: {
    breakpoint: '设置断点',
    start: '启动调试',
    evaluate: '求值',
    step: '逐过程',
    continue: '继续',
    stop: '停止调试',
    collect: '收集值',
    send: '发送输入',
    heap: '比较堆',
    hang: '说明程序挂起的原因',
    writer: '查找写入者',
    back: '返回',
  },
  messages: {
    breakpoint: (where, condition, line) => `在 ${where} 设置断点，条件为 ${condition}：${line}`,
    start: (name, type, folder, program) =>
      `启动调试 ${folder} 中的 ${name} (${type}) 运行 ${program}`,
    evaluate: (expression, frame, where) =>
      `在 ${where} 的 ${frame} 中对 ${expression} 求值；可能更改程序状态`,
    step: (where, thread) => `在 ${where}（线程 ${thread}） 逐过程执行`,
    continue: (where, thread) => `从 ${where}（线程 ${thread}） 继续运行`,
    stop: (name) => `停止调试会话 ${name}`,
    input: (text) => `其标准输入为 ${text}`,
    send: (text, name) => `将 ${text} 写入 ${name} 的标准输入，然后关闭该输入`,
    heap: (name) =>
      `在统计 ${name} 的对象期间停住该程序（堆较大时需要一秒或更久），之后使其恢复原来的状态`,
    startedHeap: (seconds) =>
      `共两次：让程序运行 ${seconds} 秒，并在统计对象期间停住程序 之后停止程序`,
    startedHang: (seconds) =>
      `${seconds} 秒后，读取其线程和任务在等待什么；可能会为此暂停程序 之后停止程序`,
    startedExceptions: (seconds) =>
      `程序每次抛出异常（包括已处理的异常）时都会短暂暂停，以读取其类型、消息和位置：${seconds} 秒之内 之后停止程序`,
    writer: (name, program, expression, frame, where) =>
      [
        `再次启动 ${name}，最多 6 次，总计不超过 60 秒，每次运行后都会结束它。每次运行都可能一直执行到程序结束。当前会话停留在原处`,
        `运行 ${program}`,
        `在这些运行以及 ${where} 的 ${frame} 中读取 ${expression}，并读取此前各行所更改的对象；读取由添加到程序中的代码完成`,
        '之后对赋给它的值重复同样的操作，最多向前追溯 2 步',
      ].join(' '),
    back: (name, program, where) =>
      [
        `再次启动 ${name}，最多 3 次，总计不超过 60 秒，并让它保持停止状态。其他会话停留在原处`,
        `运行 ${program}`,
        `让它停在 ${where}，第 1 次命中 并在那里读取变量。会向程序添加代码，用于统计此行的命中次数`,
      ].join(' '),
    trigger: (printed, request, body) =>
      `当程序输出 ${printed} 时：发送 ${request}；附带正文 ${body}`,
    collect: (where, line, expressions, claim, [times, seconds]) =>
      [
        `${where} ${line}：读取 ${expressions.join('、')}；检查 ${claim} 是否成立`,
        `以上表达式通过注入程序的记录代码、调试器中的脚本、不暂停程序的断点或在该处暂停来求值：最多 ${times} 次，${seconds} 秒之内`,
        '之后停止程序',
      ].join(' '),
  },
  doing: { configurations: '正在读取调试配置' },
  noSession: '当前没有活动的调试会话：启动会话后才会验证。',
  agent: '智能体',
};
