import { setTimeout as sleep } from 'node:timers/promises';
import type { PullProviderName } from '../../domain/ingest/import-options.ts';
import { isLoopback } from '../../domain/loopback.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/periods.ts';
import { visibleText } from '../../domain/strings.ts';
import { AcequiaError } from '../../schema/error.ts';
import {
  type PullContext,
  type PullCounts,
  pullDevice,
} from '../../service/ingest/pull/device-pull.ts';
import { UnreadableAnswerError } from '../../service/ingest/pull/provider.ts';
import { pullProviders } from '../../service/ingest/pull/providers.ts';
import { EXIT, reportRefusal, usageError, withStopSignal } from '../process/command.ts';
import { type Log, lazyLog } from '../process/log.ts';
import { print } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { openStoreTarget } from './batch-target.ts';
import { describeLeftOut } from './ingest-counts.ts';
import { credentialVariables, readCredentials } from './provider-credentials.ts';
import { fetchAnswer, PullError, type PullSource } from './pull-request.ts';

interface IngestPullOptions {
  readonly profile: PullProviderName;
  readonly device: readonly string[];
  readonly every?: number | undefined;
  readonly since?: number | undefined;
  readonly host?: string | undefined;
  readonly company?: string | undefined;
}

/** How far back a device is fetched the first time. */
const DEFAULT_PERIOD_MS = 7 * DAY_MS;
const MIN_INTERVAL_MS = MINUTE_MS;

export const runIngestPull = (options: IngestPullOptions, settings: Settings): Promise<number> =>
  withStopSignal(async ({ signal }) => {
    const log = lazyLog(settings.logLevel);
    try {
      if (options.every !== undefined && options.every < MIN_INTERVAL_MS)
        throw usageError(
          'Acequia fetches from a provider at most once a minute.',
          'Give --every 15m or longer.',
          '--every',
        );

      const credentials = readCredentials(options.profile);
      const origin = allowedOrigin(options);
      const target = await openStoreTarget(settings, options.company, 'pull', log);
      try {
        const variables = credentialVariables(options.profile);
        const onRetry = (reason: string, pauseMs: number) =>
          void log.warn({ reason, againInMs: Math.round(pauseMs) }, 'pull failed, will try again');

        const source: PullSource = { origin, variables, signal, onRetry };
        return await pullDevices(options, log, {
          provider: options.profile,
          credentials,
          zone: target.zone,
          clock: settings.clock,
          signal,
          fetch: (path, headers) => fetchAnswer(source, path, headers),
          pause: (ms) => pauseFor(ms, signal),
          read: target.read,
          write: target.write,
        });
      } finally {
        await target.close();
      }
    } catch (error) {
      return reportRefusal(error);
    }
  });

const MAX_REASONS = 3;

const pauseFor = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

async function pullDevices(
  options: IngestPullOptions,
  log: Log,
  context: PullContext,
): Promise<number> {
  const { every, since } = options;
  let hasSucceeded = false;
  for (;;) {
    const startedAt = performance.now();
    let failures = 0;

    for (const device of options.device) {
      if (context.signal.aborted) break;

      // A single run with --since fetches again what it fetched before; a repeated one goes on.
      const start = {
        since: since ?? context.clock() - DEFAULT_PERIOD_MS,
        isAgain: every === undefined && since !== undefined,
      };
      try {
        const counts = await pullDevice(context, device, start);
        print(formatCounts(options.profile, device, counts));
        hasSucceeded = true;
      } catch (error) {
        if (context.signal.aborted) break;
        // A key that has not worked once is wrong, and stays wrong.
        if (isRefusedKey(error) && !hasSucceeded) throw error;

        failures++;
        await log.warn(
          { device: visibleText(device), ...failureFacts(error) },
          'a device could not be pulled',
        );
      }
    }

    if (every === undefined || context.signal.aborted)
      return failures > 0 ? EXIT.failed : EXIT.done;

    await pauseFor(Math.max(0, every - (performance.now() - startedAt)), context.signal);
    if (context.signal.aborted) return EXIT.done;
  }
}

const isRefusedKey = (error: unknown): boolean =>
  error instanceof PullError && [401, 403].includes(error.status);

function failureFacts(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof UnreadableAnswerError)
    return { reason: `the answer cannot be read: ${error.message}` };
  if (error instanceof AcequiaError) return { reason: error.message, hint: error.hint };
  return {
    reason: `an unexpected failure: ${error instanceof Error ? error.message : String(error)}`,
  };
}

function formatCounts(profile: string, device: string, counts: PullCounts): string {
  const { written, changed, unchanged, rejected, reasons, newestAt } = counts;
  const parts = [`${written} readings written`, `${changed} changed`, `${unchanged} unchanged`];
  if (rejected > 0)
    parts.push(
      `${rejected} refused (${visibleText([...reasons].slice(0, MAX_REASONS).join('; '))})`,
    );
  parts.push(...describeLeftOut(counts));
  parts.push(
    newestAt === null ? 'nothing new' : `the newest from ${new Date(newestAt).toISOString()}`,
  );

  return `${profile} ${visibleText(device)}: ${parts.join(', ')}.\n`;
}

/** A host of the provider over https, or a proxy on this machine over http. */
function allowedOrigin({ profile, host }: IngestPullOptions): string {
  const { hosts } = pullProviders[profile];
  if (host === undefined || hosts.includes(host)) return `https://${host ?? hosts[0]}`;

  const url = URL.canParse(host) ? new URL(host) : null;
  if (url && isLoopback(url.hostname) && url.protocol === 'http:' && !url.username && !url.password)
    return url.origin;

  throw usageError(
    'This host does not belong to the provider, and a key is sent only to hosts of its provider.',
    `Give --host ${hosts.join(' or ')}, or an http:// address of this machine.`,
    '--host',
  );
}
