import type { Language } from '../../../language/index.ts';

export type ServiceWords = Language['service'];

/** A program that the operating system keeps running. */
export interface KeptProgram {
  /** The name of its unit, agent or task. */
  readonly name: ServiceName;
  /** The command of Acequia that it is. */
  readonly words: readonly string[];
}

export const SERVICE_NAMES = ['acequia', 'acequia-mqtt'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

export const KEPT_PROGRAMS: Readonly<Record<'serve' | 'mqtt', KeptProgram>> = {
  serve: {
    name: 'acequia',
    words: ['serve'],
  },
  mqtt: {
    name: 'acequia-mqtt',
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

export interface Definition {
  readonly program: KeptProgram;
  readonly description: string;
  readonly installation: Installation;
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

/**
 * The files and commands by which an operating system keeps a program running. Nothing here is run
 * or written.
 */
export interface ServicePlatform {
  readonly kind: keyof ServiceWords['kinds'];
  readonly envFile: string;
  readonly encoding: 'utf8' | 'utf16le';
  definitionFile(name: ServiceName): string;
  definition(definition: Definition): string;

  /** Fails where this user has no such service manager. */
  readonly check: readonly SystemCommand[];
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
  whenOn(isLingering: boolean | null): keyof ServiceWords['whenOn'];
}

/** Says what to do where the service manager does not answer this user. */
export const managerHint =
  ({ kind }: ServicePlatform) =>
  ({ managerHints }: ServiceWords): string =>
    managerHints[kind];
