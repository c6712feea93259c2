import type { PullProviderName } from '../../domain/ingest/import-options.ts';
import { firstOf } from '../../domain/items.ts';
import type { Credentials } from '../../service/ingest/pull/provider.ts';
import { usageError } from '../process/command.ts';

const VARIABLE_BY_CREDENTIAL: Readonly<Record<PullProviderName, Readonly<Record<string, string>>>> =
  {
    irrimax: { key: 'ACEQUIA_IRRIMAX_KEY' },
    zentra: { token: 'ACEQUIA_ZENTRA_TOKEN' },
    davis: { key: 'ACEQUIA_DAVIS_KEY', secret: 'ACEQUIA_DAVIS_SECRET' },
  };

export const ALL_PROVIDER_VARIABLES = Object.values(VARIABLE_BY_CREDENTIAL).flatMap((variables) =>
  Object.values(variables),
);

export const credentialVariables = (provider: PullProviderName): string[] =>
  Object.values(VARIABLE_BY_CREDENTIAL[provider]);

/** Keys come from the environment, because options are visible to others on the machine. */
export function readCredentials(provider: PullProviderName): Credentials {
  const missing = credentialVariables(provider).filter(
    (variable) => !process.env[variable]?.trim(),
  );
  if (missing.length > 0)
    throw usageError(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set.`,
      'Put what the provider shows as key, token or secret into the environment; docs/probes.md says where to find it.',
      firstOf(missing),
    );

  return Object.fromEntries(
    Object.entries(VARIABLE_BY_CREDENTIAL[provider]).map(([name, variable]) => [
      name,
      process.env[variable]?.trim() ?? '',
    ]),
  );
}
