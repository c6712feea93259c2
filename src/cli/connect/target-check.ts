import { capitalize } from '../../domain/strings.ts';
import { AcequiaError, plainInputError } from '../../schema/error.ts';
import { identifyByKey } from '../../service/keys/api-keys.ts';
import { oldestTwoCompanies } from '../../store/company/companies.ts';
import { viewStore } from '../../store/store.ts';
import { isMissingFile } from '../../store/store-location.ts';
import { RefusalInWords } from '../process/refusal-in-words.ts';
import type { SettingSources, Settings } from '../process/settings.ts';
import type { ConnectionWords } from './entry-change.ts';

interface CheckedTarget {
  /** With the address at which the service was found. */
  readonly settings: Settings;
  /** Says what the key is for; null without one. */
  readonly sayKey: ((words: ConnectionWords) => string) | null;
}

/**
 * Refuses settings with which no tool would work. The default store may be missing: it is created
 * with the first farm.
 */
export async function checkTarget(
  settings: Settings,
  { db: dbSource }: SettingSources,
): Promise<CheckedTarget> {
  const { db, remote, apiKey: key } = settings;
  if (remote !== null) {
    const { url, problem, sayKey } = await examineService(remote, key);
    if (problem)
      throw unusableError(
        `${capitalize(problem.subject)}: ${problem.what.replace(/\.$/, '')}.`,
        problem.advice,
      );
    return { settings: { ...settings, remote: url }, sayKey };
  }

  if (isMissingFile(db)) {
    if (dbSource !== undefined)
      throw unusableError(
        `There is no store ${db}.`,
        `Check the path, or make the store with "acequia init".`,
      );
    return { settings, sayKey: null };
  }

  const view = await viewStore(db);
  try {
    if (key !== null) {
      const name = await readCompany(view, key, settings);
      return { settings, sayKey: ({ keyAccepted }) => keyAccepted(name) };
    }
    const [, another] = await view.read(oldestTwoCompanies);
    if (another)
      throw unusableError(
        'The store holds several companies, so every tool would refuse without a key of one of them.',
        'Make a key with "acequia keys create --preset assistant --company NAME", and set ACEQUIA_API_KEY to it for this command.',
      );
  } finally {
    await view.close();
  }

  return { settings, sayKey: null };
}

async function readCompany(
  view: Awaited<ReturnType<typeof viewStore>>,
  key: string,
  { clock }: Settings,
): Promise<string> {
  try {
    const { company } = await view.read(identifyByKey(key, clock));
    return company.name;
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    throw new RefusalInWords({ code: 'INVALID_CLIENT' }, ({ connection }) =>
      connection.refusals.key('acequia keys create --preset assistant'),
    );
  }
}

const unusableError = (message: string, advice: string | null): AcequiaError =>
  plainInputError('INVALID_CLIENT', message, {
    hint: `Nothing was written. ${advice ?? ''}`.trim(),
  });

/** Finds the address of the service, and the problem that keeps tools from working with it. */
async function examineService(remote: string, key: string | null) {
  const [{ operations }, { findBaseAddress }, { checkRemote }] = await Promise.all([
    import('../../../tools/index.ts'),
    import('../../remote/base-address.ts'),
    import('../doctor/remote-check.ts'),
  ]);
  const url = await findBaseAddress({ url: remote, key });
  const findings = await checkRemote({ url, key, operations });
  // Most assistants take the key from their own environment, so it may be missing here.
  const problem = findings.find(
    ({ level, subject }) => level === 'bad' && !(subject === 'key' && key === null),
  );

  const accepted = findings.find(({ level, subject }) => level === 'good' && subject === 'key');
  const sayKey =
    key === null || accepted === undefined ? null : () => `The key is ${accepted.what}.`;
  return { url, problem, sayKey };
}
