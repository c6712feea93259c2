import type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Facts = Readonly<Record<string, unknown>>;

export function lazyLog(level: LogLevel) {
  let logger: Promise<Logger> | undefined;
  const loaded = () =>
    (logger ??= import('pino').then(({ default: pino }) =>
      pino({ level, base: { pid: process.pid } }, pino.destination({ dest: 2, sync: true })),
    ));
  const isLevelEnabled = (lineLevel: LogLevel): boolean =>
    level !== 'silent' && LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(lineLevel);
  const at =
    (lineLevel: 'warn' | 'info' | 'debug' | 'trace') =>
    async (facts: Facts, text: string): Promise<void> => {
      if (isLevelEnabled(lineLevel)) (await loaded())[lineLevel](facts, text);
    };
  return {
    async unexpectedError(error: unknown, requestId?: string): Promise<string> {
      const [{ randomBytes }, { toLoggableError }] = await Promise.all([
        import('node:crypto'),
        import('./error-format.ts'),
      ]);
      const reference = randomBytes(6).toString('hex');
      (await loaded()).error({ reference, requestId, err: toLoggableError(error) }, 'unexpected failure');
      return reference;
    },
    isLevelEnabled,
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    trace: at('trace'),
  };
}
export type Log = ReturnType<typeof lazyLog>;
