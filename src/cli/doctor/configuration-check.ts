import { distance } from 'fastest-levenshtein';
import { DEFAULT_LANG } from '../../domain/lang.ts';
import { quote } from '../../domain/strings.ts';
import { redactedLocation } from '../../store/store-location.ts';
import type { Environment } from '../process/environment.ts';
import type { SettingSources, Settings } from '../process/settings.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

export interface ConfigurationContext {
  readonly sources: SettingSources;
  readonly knownVariables: readonly string[];
  readonly env: Environment;
}

const MAX_EDIT_DISTANCE = 3;

/** The key and unknown variables are shown without their values: they may be secrets. */
export function checkConfiguration(
  settings: Settings,
  { sources, knownVariables, env }: ConfigurationContext,
): DoctorFinding[] {
  const { db, remote, apiKey, lang, logLevel } = settings;
  const newFinding = findingsAbout('configuration');

  const from = (name: keyof SettingSources, variable: string): string => {
    if (sources[name] === undefined) return 'the default';
    return sources[name] === 'env' ? `from ${variable}` : 'from the command line';
  };

  const target =
    remote === null
      ? `store ${redactedLocation(db)} (${from('db', 'ACEQUIA_DB')})`
      : `service ${remote} (${from('remote', 'ACEQUIA_REMOTE_URL')}) instead of a store`;
  const key = apiKey === null ? '' : ', a key (from ACEQUIA_API_KEY)';
  const summary = newFinding.good(
    `${target}${key}, language ${lang ?? DEFAULT_LANG} (${from('lang', 'ACEQUIA_LANG')}), log level ${logLevel} (${from('logLevel', 'ACEQUIA_LOG_LEVEL')})`,
  );
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith('ACEQUIA_') && !knownVariables.includes(name) && !OF_ONE_FARM.test(name),
  );

  return [summary, ...unknown.sort().map((name) => unknownVariableFinding(name, knownVariables))];
}

/** The variables that `connect --name` refers to, for each of several farms. */
const OF_ONE_FARM = /^ACEQUIA_(API_KEY|DB)_/;

function unknownVariableFinding(name: string, knownVariables: readonly string[]): DoctorFinding {
  const [nearest] = knownVariables
    .map((variable) => ({ variable, edits: distance(variable, name) }))
    .sort((a, b) => a.edits - b.edits)
    .filter(({ edits }) => edits <= MAX_EDIT_DISTANCE);
  const advice = nearest
    ? `If you meant ${nearest.variable}, rename it; otherwise unset it.`
    : `Acequia reads ${knownVariables.join(', ')}.`;
  return findingsAbout('configuration').doubtful(
    `the environment variable ${quote(name)} is not one of Acequia’s`,
    advice,
  );
}
