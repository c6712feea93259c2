/** A program that the operating system keeps running. */
export interface KeptProgram {
  /** Of its unit, agent or task. */
  readonly name: ServiceName;
  readonly description: string;
  /** The command of Acequia that it is. */
  readonly words: readonly string[];
}

export const SERVICE_NAMES = ['acequia', 'acequia-mqtt'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

export const KEPT_PROGRAMS: Readonly<Record<'serve' | 'mqtt', KeptProgram>> = {
  serve: {
    name: 'acequia',
    description: 'Acequia: background jobs, mail, page and webhooks',
    words: ['serve'],
  },
  mqtt: {
    name: 'acequia-mqtt',
    description: 'Acequia: readings from an MQTT broker',
    words: ['ingest', 'mqtt'],
  },
};

export interface Installation {
  /** Absolute path of Node.js. */
  readonly node: string;
  /** Absolute path of the program that it runs. */
  readonly program: string;
  /** Whom a service of the system runs as; null for one of this user. */
  readonly user: string | null;
}

export interface SystemCommand {
  readonly words: readonly [string, ...string[]];
  /** Fails where there is nothing to stop, which is as good. */
  readonly mayFail?: boolean;
}

export interface ServiceState {
  readonly isOn: boolean;
  /** In the words of the operating system. */
  readonly words: string;
}

/** What an operating system needs to keep a program running. Nothing here is run or written. */
export interface ServicePlatform {
  /** "a systemd user unit" */
  readonly kind: string;
  readonly envFile: string;
  readonly encoding: 'utf8' | 'utf16le';
  definitionFile(name: ServiceName): string;
  definition(program: KeptProgram, installation: Installation): string;

  /** Fails where this user has no such service manager. */
  readonly check: readonly SystemCommand[];
  readonly checkHint: string;
  turnOn(names: readonly ServiceName[]): SystemCommand[];
  turnOff(names: readonly ServiceName[]): SystemCommand[];
  restart(names: readonly ServiceName[]): SystemCommand[];
  /** Once definitions were deleted. */
  readonly afterRemoval: readonly SystemCommand[];

  stateQuery(name: ServiceName): SystemCommand;
  readState(output: string, code: number): ServiceState;
  /** A command that prints the newest lines, or the files that have them. */
  log(names: readonly ServiceName[], lines: number): SystemCommand | string[];
  /** When it is on; `isLingering` is null where nobody has asked. */
  whenOn(isLingering: boolean | null): string;
}
