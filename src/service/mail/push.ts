import { createECDH, ECDH } from 'node:crypto';
import type { RequestDetails } from 'web-push';
import { z } from 'zod/v3';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { HOUR_MS, SECOND_MS } from '../../domain/periods.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { invalidInputError } from '../../schema/error.ts';
import { serviceSecret } from '../../store/keys/secrets.ts';
import {
  addPushSubscription,
  pushSubscriptionOf,
  setPushSubscription,
} from '../../store/keys/sessions.ts';
import type { Store } from '../../store/store.ts';
import type { Delivery, MailTransport, OutgoingMail } from './transport.ts';

/**
 * The hosts of the browsers' push services; hosts below them are allowed too. The service must not
 * send requests to any other address that a subscription names.
 */
const SERVICES = [
  'googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
];

/** A message can only be encrypted for a point of the curve. */
function isPointOfCurve(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}

/** A browser's PushSubscription as JSON, and the language of its messages. */
const subscription = z.object({
  endpoint: z.string().url().max(2_000),
  keys: z.object({
    p256dh: z
      .string()
      .regex(/^[\w-]{87}=?$/)
      .refine(isPointOfCurve),
    auth: z.string().regex(/^[\w-]{22}={0,2}$/),
  }),
  lang: z.enum(LANGS),
});

type PushSubscriptionBody = z.output<typeof subscription>;

export const parsePush = (text: string): PushSubscriptionBody =>
  subscription.parse(JSON.parse(text));

export const langOfPush = (text: string): Lang => JSON.parse(text).lang;

/** A known service, or one of the origins that the operator allows. */
function isPushService(endpoint: string, allowed: readonly string[]): boolean {
  const { protocol, hostname, origin, username, password, port } = new URL(endpoint);
  if (allowed.includes(origin)) return true;
  const isKnown = SERVICES.some((name) => hostname === name || hostname.endsWith(`.${name}`));
  return protocol === 'https:' && port === '' && username === '' && password === '' && isKnown;
}

const allowedOrigins = (): string[] =>
  (process.env.ACEQUIA_PUSH_SERVICES ?? '')
    .split(',')
    .map((part) => part.trim().replace(/\/$/, ''))
    .filter((origin) => origin !== '');

export async function savePushSubscription(
  store: Store,
  sessionId: number,
  body: unknown,
): Promise<void> {
  const parsed = subscription.safeParse(body);
  if (!parsed.success)
    throw invalidInputError(
      'invalid_body',
      say`The body is not the push subscription of a browser.`,
      {
        hint: say`Send what PushManager.subscribe() gives, and ${argument('lang')}.`,
      },
    );

  if (!isPushService(parsed.data.endpoint, allowedOrigins()))
    throw invalidInputError(
      'unknown_push_service',
      say`The push service of this browser is not known.`,
      {
        hint: say`The operator can allow it with ACEQUIA_PUSH_SERVICES, such as https://push.example.org.`,
      },
    );

  await store.writeUnlocked((all) => addPushSubscription(all, sessionId, parsed.data));
}

/**
 * The key by which push services know this service (RFC 8292): any 256 bits are a private key of
 * the curve P-256.
 */
export async function pushKeys(store: Store): Promise<{ publicKey: string; privateKey: string }> {
  const privateKey = await serviceSecret(store, 'vapid');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey, 'base64url');
  return { publicKey: curve.getPublicKey('base64url'), privateKey };
}

/**
 * Where operators of push services can report problems: the library requires an address. Nobody can
 * own this one (RFC 2606); docs/releasing.md says when it becomes a real one.
 */
const VAPID_SUBJECT = 'https://acequia.invalid';
/** An older message is of no use. */
const TTL_S = (12 * HOUR_MS) / SECOND_MS;

/** After this many failures in a row, a push service gets no more requests in this run. */
const MAX_FAILURES = 3;

const GONE: Delivery = { outcome: 'refused', answer: 'the device is no longer subscribed' };
const UNUSABLE: Delivery = {
  outcome: 'refused',
  answer: 'no message can be encrypted for the device',
};
const UNREACHABLE: Delivery = {
  outcome: 'unreachable',
  answer: 'the push service does not answer',
};

/** Sends encrypted messages (RFC 8291) to the push services of devices. */
export async function openPushTransport(store: Store): Promise<MailTransport> {
  const vapidDetails = { subject: VAPID_SUBJECT, ...(await pushKeys(store)) };
  const { default: webPush } = await import('web-push');
  const failures = new Map<string, number>();

  const encrypt = (stored: string, { text, alertId }: OutgoingMail) => {
    try {
      return webPush.generateRequestDetails(parsePush(stored), text, {
        vapidDetails,
        TTL: TTL_S,
        urgency: 'high',
        // At most 32 characters. Source: RFC 8030, section 5.4.
        topic: alertId?.replaceAll('-', '').slice(0, 32),
      });
    } catch {
      return null;
    }
  };

  const removeSubscription = (sessionId: number) =>
    store.writeUnlocked((all) => setPushSubscription(all, sessionId, null));

  async function send(message: OutgoingMail, signal: AbortSignal): Promise<Delivery> {
    const sessionId = message.sessionId!;
    const stored = await store.readAll((all) => pushSubscriptionOf(all, sessionId));
    if (stored === null) return GONE;

    const request = encrypt(stored, message);
    if (request === null) {
      await removeSubscription(sessionId);
      return UNUSABLE;
    }

    if (!isPushService(request.endpoint, allowedOrigins()))
      return { outcome: 'refused', answer: 'unknown push service' };

    const { origin } = new URL(request.endpoint);
    const failureCount = failures.get(origin) ?? 0;
    if (failureCount >= MAX_FAILURES) return UNREACHABLE;

    // The address of a device is a secret, and the error would name it.
    const status = await post(request, signal).catch(() => null);
    failures.set(origin, status === null ? failureCount + 1 : 0);
    if (status === null) return UNREACHABLE;
    if (status === 404 || status === 410) {
      await removeSubscription(sessionId);
      return GONE;
    }

    return { outcome: outcomeOf(status), answer: String(status) };
  }

  return { domain: 'push', send };
}

async function post(
  { endpoint, headers, body }: RequestDetails,
  signal: AbortSignal,
): Promise<number> {
  // fetch sets the length itself.
  const headersToSend = Object.entries(headers).filter(
    ([name]) => name.toLowerCase() !== 'content-length',
  );
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: headersToSend.map(([name, value]): [string, string] => [name, String(value)]),
    body: new Uint8Array(body!),
    redirect: 'manual',
    signal,
  });
  await answer.body?.cancel();

  return answer.status;
}

function outcomeOf(status: number): Delivery['outcome'] {
  if (status >= 200 && status < 300) return 'sent';
  return status === 429 || status >= 500 ? 'deferred' : 'refused';
}
