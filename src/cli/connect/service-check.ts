import { operations } from '../../../tools/index.ts';
import { capitalize } from '../../language/text.ts';
import { findBaseAddress } from '../../remote/service.ts';
import { checkRemote } from '../doctor/remote-check.ts';
import { unusable } from './target-check.ts';

/** Returns the address at which the service was found; refuses one with which no tool would work. */
export async function checkService(remote: string, key: string | null): Promise<string> {
  const url = await findBaseAddress({ url: remote, key });
  const findings = await checkRemote({ url, key, operations });
  // Most assistants take the key from their own environment, so it may be missing here.
  const problem = findings.find(({ level, subject }) => level === 'bad' && !(subject === 'key' && key === null));
  if (problem) throw unusable(`${capitalize(problem.subject)}: ${problem.what.replace(/\.$/, '')}.`, problem.advice);
  return url;
}
