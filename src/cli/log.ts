import type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A log on stderr that is loaded when there is something to say. */
export function lazyLog(level: LogLevel) {
  let logger: Promise<Logger> | undefined;
  const loaded = () =>
    (logger ??= import('pino').then(({ default: pino }) =>
      pino({ level, base: { pid: process.pid } }, pino.destination({ dest: 2, sync: true })),
    ));
  return {
    /** Logs a failure inside and returns the reference under which it stands. */
    async failure(error: unknown): Promise<string> {
      // Loaded here, not at the start, which need not pay for it.
      const { randomBytes } = await import('node:crypto');
      const reference = randomBytes(6).toString('hex');
      (await loaded()).error({ reference, err: error }, 'unexpected failure');
      return reference;
    },
    async warn(facts: Record<string, unknown>, text: string): Promise<void> {
      (await loaded()).warn(facts, text);
    },
    async info(facts: Record<string, unknown>, text: string): Promise<void> {
      if (LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf('info') && level !== 'silent')
        (await loaded()).info(facts, text);
    },
  };
}
export type Log = ReturnType<typeof lazyLog>;
