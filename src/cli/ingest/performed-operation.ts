import { operationsByName } from '../../../tools/index.ts';
import { readToolArguments } from '../../operation/arguments/tool-arguments.ts';
import { LOCAL_OWNER } from '../../operation/authorization.ts';
import { localPerformer } from '../../operation/local-performer.ts';
import type { AnyOperation } from '../../operation/operation.ts';
import type { Performer } from '../../operation/performer.ts';
import { chooseCompany } from '../../service/company/company.ts';
import { createBackgroundJobs } from '../../service/jobs/background-jobs.ts';
import { allUsers } from '../../store/company/companies.ts';
import { mailTransportOpener } from '../mail/mail-transport.ts';
import { openExistingStore } from '../process/command.ts';
import { lazyLog } from '../process/log.ts';
import type { Settings } from '../process/settings.ts';
import { refuseCompanyOfService } from './batch-target.ts';

interface PerformOptions {
  readonly company?: string | undefined;
  readonly settings: Settings;
}

/** In the store, or on a remote service. */
export async function performOperation(
  name: string,
  args: Record<string, unknown>,
  { company, settings }: PerformOptions,
): Promise<unknown> {
  const operation: AnyOperation = operationsByName.get(name)!;
  const performer = await (settings.remote === null
    ? openStorePerformer(settings, company)
    : openServicePerformer(settings, settings.remote, company));
  try {
    const { body } = await performer.perform(operation, {
      rawArguments: args,
      wantsSummary: false,
      wantsNoteTexts: false,
      readArguments: (context) => readToolArguments(operation, args, context),
    });
    return body;
  } finally {
    await performer.close();
  }
}

async function openServicePerformer(
  { apiKey: key, clock, lang }: Settings,
  url: string,
  company: string | undefined,
): Promise<Performer> {
  refuseCompanyOfService(company);
  const { remotePerformer } = await import('../../remote/remote-performer.ts');
  return remotePerformer({ url, key, clock, lang });
}

async function openStorePerformer(
  { db, clock, lang, logLevel }: Settings,
  companyName: string | undefined,
): Promise<Performer> {
  const store = await openExistingStore(db);
  try {
    const company = await chooseCompany(store, companyName);
    const log = lazyLog(logLevel);
    const openTransport = mailTransportOpener(log);
    const jobs = createBackgroundJobs({ store, clock, openTransport, report: log.unexpectedError });
    const owner = (await store.read(company.id, allUsers)).find(({ role }) => role === 'OWNER');
    const caller = { ...LOCAL_OWNER, companyId: company.id, userId: owner?.id ?? null };
    const performer = localPerformer({
      ...{ store, clock, lang, operations: operationsByName, source: 'mcp' },
      identify: async () => ({ caller, company }),
      onReadings: jobs.evaluateAlerts,
      report: log.unexpectedError,
    });
    const close = async (): Promise<void> => {
      await jobs.close();
      await performer.close();
    };
    return { ...performer, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}
