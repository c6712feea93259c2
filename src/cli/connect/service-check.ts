import { operations } from '../../../tools/index.ts';
import { findBaseAddress } from '../../remote/service.ts';
import type { DoctorFinding } from '../doctor/findings.ts';
import { checkRemote } from '../doctor/remote-check.ts';

/** The address at which the service was found, and what keeps tools from working with it. */
export async function checkService(
  remote: string,
  key: string | null,
): Promise<{ url: string; problem: DoctorFinding | undefined }> {
  const url = await findBaseAddress({ url: remote, key });
  const findings = await checkRemote({ url, key, operations });
  // Most assistants take the key from their own environment, so it may be missing here.
  const problem = findings.find(({ level, subject }) => level === 'bad' && !(subject === 'key' && key === null));
  return { url, problem };
}
