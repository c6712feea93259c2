import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import envPaths from 'env-paths';
import type { StoreKind } from '../../domain/alerts/means-of-notice.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { TOOLSET_NAMES, type ToolsetName } from '../../operation/operation-kind.ts';
import type { ToolFilter } from '../../operation/tool-filter.ts';
import { isServerUrl } from '../../store/store-location.ts';
import { loadEnvFile } from './env-file.ts';
import { LOG_LEVELS, type LogLevel } from './log.ts';
import {
  isUrl,
  parseBaseAddress,
  parseInstantOption,
  parseStoreOption,
  parseToolsets,
} from './option-parsers.ts';
import { formatWords } from './output.ts';

/** Real time in ms since 1970 UTC, or a clock that started at `startsAt` and runs on. */
export function runningClock(startsAt: number | null): () => number {
  if (startsAt === null) return Date.now;
  const origin = performance.now();
  return () => startsAt + Math.floor(performance.now() - origin);
}

export interface Settings {
  readonly db: string;
  readonly remote: string | null;
  /** From the environment alone: command lines are visible to others. */
  readonly apiKey: string | null;
  readonly clock: () => number;
  /** Null for real time. */
  readonly clockStartsAt: number | null;
  readonly toolFilter: ToolFilter;
  readonly lang: Lang | undefined;
  readonly logLevel: LogLevel;
}

/** Not an `env` of its option: commander would take any value, also "false", for true. */
export const READ_ONLY_VARIABLE = 'ACEQUIA_READ_ONLY';

export const dataFolder = (): string => envPaths('acequia', { suffix: '' }).data;

export const defaultDb = (): string => join(dataFolder(), 'acequia.db');

/**
 * The option by which a command finds this store. The address of a database is not shown, because
 * it may hold a password.
 */
export function storeOption(db: string): string {
  if (db === defaultDb()) return '';
  return ` --db ${isServerUrl(db) ? 'ADDRESS' : formatWords([resolve(db)])}`;
}

export function storeKind(db: string): StoreKind {
  if (db === defaultDb()) return 'default';
  return isServerUrl(db) ? 'server' : 'file';
}

/**
 * `source` is the option or variable that named the store. Its value is not repeated: it may be a
 * secret.
 */
export function assertValidLocation(command: Command, source: string, db: string): void {
  if (/acequia_[\w-]{43}$/.test(db))
    command.error(
      `error: ${source} is an API key. Give the path of a file, or a postgres:// URL; a key belongs in ACEQUIA_API_KEY.`,
    );
  if (isUrl(db) && !isServerUrl(db))
    command.error(
      `error: ${source} is an unsupported URL. Give the path of a file, or a postgres:// URL.`,
    );
}

function isSwitchOn(variable: string, command: Command): boolean {
  const value = process.env[variable]?.trim().toLowerCase() ?? '';
  if (['1', 'true', 'yes', 'on'].includes(value)) return true;
  if (['', '0', 'false', 'no', 'off'].includes(value)) return false;
  return command.error(`error: ${variable} is neither true nor false.`);
}

const commonOptions = (): Option[] => [
  new Option(
    '--db <store>',
    'the store: a file, or a postgres:// URL (default: acequia.db in the data folder)',
  )
    .env('ACEQUIA_DB')
    .argParser(parseStoreOption),
  new Option(
    '--remote <url>',
    'a service to use instead of a store; its key comes from ACEQUIA_API_KEY',
  )
    .env('ACEQUIA_REMOTE_URL')
    .argParser(parseBaseAddress),
  new Option(
    '--toolsets <names>',
    `offer only these tools over MCP and call: all (default), ${TOOLSET_NAMES.join(',')}`,
  )
    .env('ACEQUIA_TOOLSETS')
    .argParser(parseToolsets),
  new Option('--read-only', 'offer nothing that writes over MCP and call (env: ACEQUIA_READ_ONLY)'),
  new Option(
    '--clock <instant>',
    'start the clock at this instant and let it run on, for replays and tests',
  )
    .env('ACEQUIA_CLOCK')
    .argParser(parseInstantOption),
  new Option(
    '--lang <lang>',
    'language of labels and names (default: English), and of pictures and questions (default: by the country of the company)',
  )
    .env('ACEQUIA_LANG')
    .choices(LANGS),
  new Option('--log-level <level>', 'what is logged to stderr')
    .env('ACEQUIA_LOG_LEVEL')
    .choices(LOG_LEVELS),
  new Option(
    '--env-file <file>',
    'file of environment variables, for those that are not set already',
  ).argParser(loadEnvFile),
];

const COMMON_OPTIONS = 'Options of every command:';

export const isCommonOption = ({ helpGroupHeading }: Option): boolean =>
  helpGroupHeading === COMMON_OPTIONS;

export function addCommonOptions(command: Command): Command {
  for (const option of commonOptions()) command.addOption(option.helpGroup(COMMON_OPTIONS));
  return command;
}

const optionsBelow = (command: Command): Option[] => [
  ...command.options,
  ...command.commands.flatMap(optionsBelow),
];

export const optionVariables = (command: Command): string[] => [
  ...new Set([...optionsBelow(command).flatMap(({ envVar }) => envVar ?? []), READ_ONLY_VARIABLE]),
];

export function ignoreBlankVariables(command: Command): void {
  for (const variable of optionVariables(command))
    if (process.env[variable]?.trim() === '') delete process.env[variable];
}

interface UsableOptions {
  readonly allowsRemote?: boolean;
  /** The command takes --toolsets and --read-only. */
  readonly allowsToolFilter?: boolean;
}

/** For commands that work on everything in a store. */
export const WHOLE_STORE: UsableOptions = { allowsRemote: false, allowsToolFilter: false };

/**
 * Options may come before or after a command's name: the nearer one wins, and the command line over
 * the environment.
 */
export function readSettings(
  command: Command,
  { allowsRemote = true, allowsToolFilter = true }: UsableOptions = {},
): Settings {
  const fromCommandLine = valuesFrom(command, 'cli');
  if (!allowsRemote) assertLocal(command, fromCommandLine, valuesFrom(command, 'env'));
  if (!allowsToolFilter) assertUnfiltered(command, fromCommandLine);
  if (fromCommandLine.db !== undefined && fromCommandLine.remote !== undefined)
    command.error('error: --db and --remote exclude each other: use either a store or a service.');
  const values = { ...valuesFrom(command, 'env'), ...fromCommandLine };
  const db = values.db ?? defaultDb();

  assertValidLocation(command, '--db or ACEQUIA_DB', db);
  return {
    db,
    // --db excludes a service that a variable names. Commander turns a parsed null into ''.
    remote: fromCommandLine.db === undefined ? values.remote || null : null,
    apiKey: process.env.ACEQUIA_API_KEY?.trim() || null,
    clock: runningClock(values.clock ?? null),
    clockStartsAt: values.clock ?? null,
    toolFilter: {
      toolsets: values.toolsets?.length ? values.toolsets : null,
      isReadOnly: fromCommandLine.readOnly ?? isSwitchOn(READ_ONLY_VARIABLE, command),
    },
    lang: values.lang,
    logLevel: values.logLevel ?? 'warn',
  };
}

/** A variable that is ignored would let people believe that they work on the service. */
function assertLocal(
  command: Command,
  { remote, db }: SettingValues,
  { remote: remoteOfVariable }: SettingValues,
): void {
  if (remoteOfVariable && db === undefined)
    command.error(
      `error: ${command.name()} works on a store, but ACEQUIA_REMOTE_URL names a service. Name the store with --db, or unset the variable.`,
    );
  if (remote !== undefined)
    command.error(
      `error: ${command.name()} works on a store; --remote is for mcp, call, chart, doctor and ingest, which can use a service.`,
    );
}

function assertUnfiltered(command: Command, { toolsets, readOnly }: SettingValues): void {
  const reject = (option: string): never =>
    command.error(
      `error: ${command.name()} works on the whole store; ${option} is only for MCP and call.`,
    );
  if (toolsets !== undefined) reject('--toolsets');
  if (readOnly !== undefined) reject('--read-only');
}

interface SettingValues {
  readonly db?: string;
  readonly remote?: string;
  readonly toolsets?: ToolsetName[];
  readonly readOnly?: boolean;
  readonly clock?: number;
  readonly lang?: Lang;
  readonly logLevel?: LogLevel;
}

const SETTING_NAMES = [
  'db',
  'remote',
  'toolsets',
  'readOnly',
  'clock',
  'lang',
  'logLevel',
] as const;

function valuesFrom(command: Command, source: 'env' | 'cli'): SettingValues {
  const outer = command.parent ? valuesFrom(command.parent, source) : {};
  const ofThisCommand = SETTING_NAMES.flatMap((name) => {
    const value = command.getOptionValue(name);
    return value == null || command.getOptionValueSource(name) !== source ? [] : [[name, value]];
  });
  return { ...outer, ...Object.fromEntries(ofThisCommand) };
}

export type SettingSources = { readonly [Name in keyof SettingValues]?: 'cli' | 'env' };

export function readSettingSources(command: Command): SettingSources {
  const namesFrom = (source: 'env' | 'cli') =>
    Object.keys(valuesFrom(command, source)).map((name) => [name, source]);
  return Object.fromEntries([...namesFrom('env'), ...namesFrom('cli')]);
}
