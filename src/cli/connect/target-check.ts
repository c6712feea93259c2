import { capitalize } from '../../domain/text.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { oldestTwoCompanies } from '../../store/company/companies.ts';
import { viewStore } from '../../store/store.ts';
import { isMissingFile } from '../../store/store-location.ts';
import type { SettingSources, Settings } from '../process/settings.ts';

/**
 * Refuses settings with which no tool would work. Returns them with the address at which the
 * service was found. The default store may be missing: it is created with the first farm.
 */
export async function checkTarget(
  settings: Settings,
  { db: dbSource }: SettingSources,
): Promise<Settings> {
  const { db, remote, apiKey: key } = settings;
  if (remote !== null) {
    const { url, problem } = await examineService(remote, key);
    if (problem)
      throw unusableError(
        `${capitalize(problem.subject)}: ${problem.what.replace(/\.$/, '')}.`,
        problem.advice,
      );
    return { ...settings, remote: url };
  }

  if (isMissingFile(db)) {
    if (dbSource !== undefined)
      throw unusableError(
        `There is no store ${db}.`,
        `Check the path, or make the store with "acequia init".`,
      );
    return settings;
  }

  const view = await viewStore(db);
  try {
    const [, another] = await view.read(oldestTwoCompanies);
    if (another && key === null)
      throw unusableError(
        'The store holds several companies, so every tool would refuse without a key of one of them.',
        'Make a key with "acequia keys create --preset assistant --company NAME", and set ACEQUIA_API_KEY to it for this command.',
      );
  } finally {
    await view.close();
  }

  return settings;
}

const unusableError = (message: string, advice: string | null): AcequiaError =>
  invalidInputError('INVALID_CLIENT', message, {
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

  return { url, problem };
}
