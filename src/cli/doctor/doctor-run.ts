import { itemAt } from '../../domain/items.ts';
import type { AcequiaError } from '../../schema/error.ts';
import { ALL_PROVIDER_VARIABLES } from '../ingest/provider-credentials.ts';
import { VARIABLES_OF_A_SERVICE } from '../process/environment.ts';
import { print } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { checkForecast, checkLeases, checkOutbox, checkRounds } from './background-job-checks.ts';
import { checkBackups } from './backup-check.ts';
import { checkClients } from './client-check.ts';
import { checkClock } from './clock-check.ts';
import { type ConfigurationContext, checkConfiguration } from './configuration-check.ts';
import { checkDailyRows } from './daily-rows-check.ts';
import {
  checkCompanies,
  checkDevices,
  checkErasures,
  checkMembers,
  checkSilence,
  checkTemperatures,
  checkUnreadMessages,
} from './farm-checks.ts';
import {
  type DoctorFinding,
  findingsAbout,
  formatFindings,
  formatFindingsJson,
  inOrderOfQuestions,
} from './findings.ts';
import { checkMail } from './mail-check.ts';
import { checkService } from './service-check.ts';
import { examineStore } from './store-check.ts';
import { checkZones } from './zone-check.ts';

const ENVIRONMENT_ONLY_VARIABLES = [
  ...VARIABLES_OF_A_SERVICE,
  'ACEQUIA_API_KEY',
  ...ALL_PROVIDER_VARIABLES,
];

interface OptionContext extends Pick<ConfigurationContext, 'sources'> {
  readonly optionVariables: readonly string[];
}

/** Writes nothing and sends no mail, although it talks to the mail server. */
export async function runDoctor(
  { json, assistants }: { json?: boolean; assistants: boolean },
  settings: Settings,
  context: OptionContext,
): Promise<number> {
  const findings = inOrderOfQuestions(await examine(settings, context, assistants));
  print(json ? formatFindingsJson(findings) : formatFindings(findings));
  return findings.some(({ level }) => level === 'bad') ? 1 : 0;
}

async function examine(
  settings: Settings,
  { sources, optionVariables }: OptionContext,
  withAssistants: boolean,
): Promise<DoctorFinding[]> {
  const now = settings.clock();
  const { env } = process;
  const knownVariables = [...optionVariables, ...ENVIRONMENT_ONLY_VARIABLES];
  const configuration = checkConfiguration(settings, { sources, knownVariables, env });
  const { db, remote, apiKey } = settings;
  if (remote !== null) {
    const checks: Check[] = [
      ['service', () => checkRemoteService(remote, apiKey)],
      ['zones', () => checkZones(now, null)],
    ];
    return [...configuration, ...(await runChecks(checks))];
  }

  const { findings: store, view } = await examineStore(db);
  try {
    const checks: Check[] = [
      ['copies', () => checkBackups(Date.now(), db, view)],
      ['clock', async () => [await checkClock(now, sources.clock, view)]],
      ['companies', () => checkCompanies(view, apiKey)],
      ['members', () => checkMembers(view)],
      ['erasures', () => checkErasures(view)],
      ['zones', () => checkZones(now, view)],
      ['silence', () => checkSilence(view, now)],
      ['devices', () => checkDevices(view)],
      ['messages that give nothing', () => checkUnreadMessages(view, now)],
      ['temperatures', () => checkTemperatures(view, now)],
      ['mail', () => checkMail(env, view)],
      ['forecast', () => checkForecast(env, now, view)],
      ['rows of the day', () => checkDailyRows(now, view)],
      ['outbox', () => checkOutbox(now, view)],
      ['service', checkService],
      ['jobs', () => checkRounds(Date.now(), view)],
      ['lease', () => checkLeases(Date.now(), view)],
    ];
    if (withAssistants)
      checks.push(['assistants', () => checkClients(settings, itemAt(process.argv, 1))]);

    return [...configuration, ...store, ...(await runChecks(checks))];
  } finally {
    await view?.close();
  }
}

/**
 * Loads the HTTP client and the tools only where they are needed: that takes as long as all other
 * checks.
 */
async function checkRemoteService(url: string, key: string | null): Promise<DoctorFinding[]> {
  const { checkRemote } = await import('./remote-check.ts');
  const { tools } = await import('../../../tools/index.ts');
  return checkRemote({ url, key, operations: tools });
}

type Check = readonly [subject: string, check: () => Promise<DoctorFinding[]>];

async function runChecks(checks: readonly Check[]): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const [subject, check] of checks) {
    findings.push(...(await check().catch((error) => [failedCheck(subject, error)])));
  }
  return findings;
}

function failedCheck(subject: string, error: unknown): DoctorFinding {
  const { message, hint } = error as Partial<AcequiaError>;
  return findingsAbout(subject).bad(
    `this check failed: ${message ?? String(error)}`,
    hint ?? 'Run the doctor again; if it persists, check the store first.',
  );
}
