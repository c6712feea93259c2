import { isLoopback, urlHost } from '../../domain/loopback.ts';
import { quote } from '../../domain/strings.ts';
import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import { chooseCompany, chooseCompanyByExactName } from '../../service/company/company.ts';
import { resolveMember } from '../../service/keys/members.ts';
import { endSession, listSessions, type SessionListing } from '../../service/keys/sessions.ts';
import { createSignInLink, signInAddress } from '../../service/keys/sign-in.ts';
import { usageError } from '../process/command.ts';
import { formatTable, print, printError } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { formatUtcMinute, minuteOr, plainText, withKeyStore } from './keys-run.ts';
import { qrCodeLines } from './qr-code-lines.ts';

interface LinkOptions extends ServiceAddressOptions {
  readonly company?: string | undefined;
  readonly user?: string | undefined;
}

/** Only the address goes to standard output. */
export const runCreateSignInLink = (options: LinkOptions, settings: Settings): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    const service = publicServiceUrl(options);
    const company = await chooseCompanyByExactName(store, options.company);
    const { member, secret, expiresAt } = await store.write(company.id, async (db) => {
      const found = await resolveMember(db, company, options.user);
      return { member: found, ...(await createSignInLink(db, found.id, now)) };
    });
    const address = signInAddress(service, secret);

    printError(`${qrCodeLines(address).join('\n')}\n`);
    print(`${address}\n`);
    printError(
      `For ${quote(member.email)} (${member.role}) of ${quote(company.name)}. It works once, until ${formatUtcMinute(expiresAt)}: whoever opens it signs in as this person.\n`,
    );

    if (isLoopback(service.hostname))
      printError(
        'It opens on this computer only. For a phone, give --public-url (https), or --host with the address of this machine in its network, here and to "acequia serve".\n',
      );
  });

interface ListSessionsOptions {
  readonly company?: string | undefined;
  readonly json?: boolean | undefined;
}

export const runListSessions = (
  options: ListSessionsOptions,
  settings: Settings,
): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    const company =
      options.company === undefined ? null : await chooseCompany(store, options.company);
    const sessions = await listSessions(store, company, now);
    print(options.json ? formatSessionsJson(sessions) : formatSessionTable(sessions));
  });

export const runEndSession = (id: number, settings: Settings): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    await endSession(store, id, now);
    print(`Session #${id} has ended.\n`);
  });

const HEADINGS = ['ID', 'STATE', 'COMPANY', 'USER', 'DEVICE', 'SIGNED IN', 'LAST USED', 'EXPIRES'];

function formatSessionTable(sessions: readonly SessionListing[]): string {
  if (sessions.length === 0)
    return 'Nobody has signed in yet. Create a sign-in link with "acequia keys link".\n';
  return formatTable([HEADINGS, ...sessions.map(sessionCells)]);
}

const sessionCells = ({
  id,
  state,
  company,
  user,
  device,
  signedInAt,
  lastUsedAt,
  expiresAt,
}: SessionListing) => [
  String(id),
  state,
  `${plainText(company.name)} (#${company.id})`,
  `${plainText(user.email)} (#${user.id})`,
  plainText(device ?? 'unknown'),
  minuteOr(signedInAt, 'never'),
  minuteOr(lastUsedAt, 'never'),
  formatUtcMinute(expiresAt),
];

const formatSessionsJson = (sessions: readonly SessionListing[]): string =>
  `${JSON.stringify(
    sessions.map(({ createdAt, signedInAt, lastUsedAt, expiresAt, revokedAt, ...session }) => ({
      ...session,
      createdAt: toIso(createdAt),
      signedInAt: toIsoOrNull(signedInAt),
      lastUsedAt: toIsoOrNull(lastUsedAt),
      expiresAt: toIso(expiresAt),
      revokedAt: toIsoOrNull(revokedAt),
    })),
    null,
    2,
  )}\n`;

interface ServiceAddressOptions {
  readonly publicUrl?: URL | undefined;
  readonly host: string;
  readonly port: number;
}

/** The address at which people open the service. Throws if the options do not determine it. */
function publicServiceUrl({ publicUrl, host, port }: ServiceAddressOptions): URL {
  if (publicUrl !== undefined) return publicUrl;
  if (port === 0)
    throw usageError(
      'Port 0 means any free port.',
      'Give --public-url, the address at which people open the service, or --port with the port that the service printed.',
      '--public-url',
    );

  if (['0.0.0.0', '::'].includes(host))
    throw usageError(
      `${host} means every address of this machine; people need one of them.`,
      'Give --public-url, the address at which people open the service, or --host with the address of this machine in its network.',
      '--public-url',
    );

  return new URL(`http://${urlHost(host)}:${port}`);
}
