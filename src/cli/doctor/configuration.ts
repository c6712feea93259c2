import { distance } from 'fastest-levenshtein';
import { quoted } from '../../operation/names.ts';
import { shownPlace } from '../../store/address.ts';
import type { Settings, Sources } from '../settings.ts';
import { type Finding, findingsOn } from './finding.ts';

/** What was said of the settings, and where. */
export interface Said {
  readonly sources: Sources;
  /** The environment variables that mean something. */
  readonly variables: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Letters that a misspelt name may differ by. */
const NEAR = 3;

/** Which settings hold, and whether the environment names some that do not exist. Values of variables are not shown: some are secrets. */
export function checkConfiguration(settings: Settings, { sources, variables, env }: Said): Finding[] {
  const { db, remote, apiKey, lang, logLevel } = settings;
  const found = findingsOn('configuration');
  const from = (name: keyof Sources, variable: string): string =>
    sources[name] === undefined
      ? 'the default'
      : sources[name] === 'env'
        ? `from ${variable}`
        : 'from the command line';
  const books =
    remote === null
      ? `store ${shownPlace(db)} (${from('db', 'ACEQUIA_DB')})`
      : `service ${remote} (${from('remote', 'ACEQUIA_REMOTE_URL')}) in place of a store`;
  const key = apiKey === null ? '' : ', a key (from ACEQUIA_API_KEY)';
  const known = found.good(
    `${books}${key}, language ${lang ?? 'of each company’s country'} (${from('lang', 'ACEQUIA_LANG')}), log level ${logLevel} (${from('logLevel', 'ACEQUIA_LOG_LEVEL')})`,
  );
  const unknown = Object.keys(env).filter((name) => name.startsWith('ACEQUIA_') && !variables.includes(name));
  return [known, ...unknown.sort().map((name) => found.doubtful(...unknownVariable(name, variables)))];
}

function unknownVariable(name: string, variables: readonly string[]): [what: string, advice: string] {
  const [nearest] = variables
    .map((each) => ({ each, far: distance(each, name) }))
    .sort((a, b) => a.far - b.far)
    .filter(({ far }) => far <= NEAR);
  const meant = nearest
    ? `If ${nearest.each} was meant, rename it; else unset it.`
    : `Known are ${variables.join(', ')}.`;
  return [`the environment names ${quoted(name)}, which means nothing here`, meant];
}
