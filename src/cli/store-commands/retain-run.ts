import type { ReadingAge } from '../../domain/moisture/reading-retention.ts';
import { chooseCompanyByExactName } from '../../service/company/company.ts';
import {
  countOldReadings,
  deleteOldReadings,
  type RetentionMonitor,
  type RetentionReport,
} from '../../service/moisture/retention.ts';
import { bytesPerReading, compactStore } from '../../store/compact.ts';
import { allCompanies, type CompanyRow } from '../../store/company/companies.ts';
import type { Store } from '../../store/store.ts';
import { EXIT, openExistingStore, reportRefusal, runStoppable } from '../process/command.ts';
import { formatBytes, formatTerminalCount, print } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { type ProgressDisplay, showProgress } from './progress-display.ts';

interface RetainRequest {
  readonly age: ReadingAge;
  /** Default: all. */
  readonly company?: string | undefined;
  readonly isDryRun: boolean;
  readonly compact: boolean;
}

type RetainSettings = Pick<Settings, 'db' | 'clock' | 'logLevel'>;

export const runRetain = (request: RetainRequest, settings: RetainSettings): Promise<number> =>
  runStoppable(
    {
      logLevel: settings.logLevel,
      name: 'The command',
      afterStop: 'Run the same command again: it deletes the rest.',
      afterFailure: 'Run the same command again once that is repaired.',
    },
    async (signal) => {
      const store = await openExistingStore(settings.db);
      let code: number;
      try {
        code = await retainInAll(store, request, settings.clock(), signal);
      } finally {
        await store.close();
      }
      if (request.compact) await compact(settings.db);
      return code;
    },
  );

async function retainInAll(
  store: Store,
  { age, company: name, isDryRun }: RetainRequest,
  now: number,
  signal: AbortSignal,
): Promise<number> {
  const companies =
    name === undefined
      ? await store.readAll(allCompanies)
      : [await chooseCompanyByExactName(store, name)];
  const bytes = await store.readAll(bytesPerReading);
  const run = isDryRun ? countOldReadings : deleteOldReadings;
  let code: number = EXIT.done;
  for (const company of companies)
    try {
      const report = await withProgress(company, signal, (monitor) =>
        run(store, company, { age, now, machineNow: Date.now() }, monitor),
      );
      print(formatReport(company, report, { isDryRun, bytes }));
    } catch (error) {
      // Another company may well have readings that are due.
      code = reportRefusal(error);
    }
  return code;
}

async function withProgress(
  company: CompanyRow,
  signal: AbortSignal,
  run: (monitor: RetentionMonitor) => Promise<RetentionReport>,
): Promise<RetentionReport> {
  const progress: ProgressDisplay = await showProgress(process.stderr, {
    name: company.name,
    size: null,
    formatShare: () => '',
  });
  const counts = { check: 0, delete: 0 };
  try {
    return await run({
      onReadings(step, count) {
        counts[step] += count;
        const readings = formatTerminalCount(counts[step], 'reading');
        progress.update(`${readings} ${step === 'check' ? 'checked' : 'deleted'}`);
      },
      signal,
    });
  } finally {
    progress.end();
  }
}

function formatReport(
  { name }: CompanyRow,
  { keptFrom, zone, readings, sensors, summedHours, hasAirReadings }: RetentionReport,
  { isDryRun, bytes }: { readonly isDryRun: boolean; readonly bytes: number },
): string {
  const before = `before ${keptFrom.iso} (${zone})`;
  const air = hasAirReadings ? ' Those of weather stations in the air stay.' : '';
  if (readings === 0)
    return hasAirReadings
      ? `${name}: no single readings of soil probes ${before}.${air}\n`
      : `${name}: no single readings ${before}.\n`;

  const count = `${formatTerminalCount(readings, 'reading')} ${before} of ${formatTerminalCount(sensors, 'sensor')}`;
  const size = `about ${formatBytes(Math.round(readings * bytes))}`;
  if (isDryRun)
    return `${name}: ${count} would go, ${size}. The sums of their hours and days would stay.${air}\n`;

  const repaired =
    summedHours === 0
      ? ''
      : ` The sums of ${formatTerminalCount(summedHours, 'hour')} were missing, and were written first.`;
  return `${name}: ${count} are deleted, ${size}. The sums of their hours and days stay.${air}${repaired}\n`;
}

async function compact(location: string): Promise<void> {
  const { before, after } = await compactStore(location);
  print(`The store took ${formatBytes(before)} and takes ${formatBytes(after)} now.\n`);
}
