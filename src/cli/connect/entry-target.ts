import { isDeepStrictEqual } from 'node:util';
import { KEY_VARIABLE } from '../process/environment.ts';
import type { ClientEntry } from './client-entries.ts';

export interface EntryTarget {
  readonly service: string | null;
  readonly store: string | null;
}

/** As `readSettings` decides: --db excludes any service, which in turn precedes ACEQUIA_DB. */
export function entryTarget({ args, env }: ClientEntry): EntryTarget {
  const dbOption = optionValue(args, '--db');
  if (dbOption !== null) return { service: null, store: dbOption };

  const service = optionValue(args, '--remote') ?? variableValue(env, 'ACEQUIA_REMOTE_URL');
  if (service !== null) return { service, store: null };
  return { service: null, store: variableValue(env, 'ACEQUIA_DB') };
}

/** True if both entries start Acequia on the same store or service with the same key. */
export function isForSameFarm(one: ClientEntry, other: ClientEntry): boolean {
  const [first, second] = [one, other].map((entry) => ({
    ...entryTarget(entry),
    key: keyOf(entry),
  }));
  return isDeepStrictEqual(first, second);
}

const keyOf = ({ env, passedVariables }: ClientEntry): string | null =>
  variableValue(env, KEY_VARIABLE) ?? passedVariables.find((name) => name === KEY_VARIABLE) ?? null;

function optionValue(args: readonly string[], option: string): string | null {
  const assignment = args.find((arg) => arg.startsWith(`${option}=`));
  if (assignment !== undefined) return assignment.slice(option.length + 1);
  const index = args.indexOf(option);
  return index < 0 ? null : (args[index + 1] ?? null);
}

function variableValue(env: ClientEntry['env'], variable: string): string | null {
  const value = env[variable];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
