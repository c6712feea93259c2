import { createECDH } from 'node:crypto';
import { z } from 'zod/v3';
import { LANGS } from '../../domain/lang.ts';
import { HOUR_MS, SECOND_MS } from '../../domain/periods.ts';
import { invalidInput } from '../../schema/error.ts';
import { serviceSecret } from '../../store/keys/secrets.ts';
import { pushOf, setPush } from '../../store/keys/sessions.ts';
import type { Store } from '../../store/store.ts';
import type { Delivery, MailTransport, OutgoingMail } from './outbox.ts';

/** Hosts of the browsers' push services, and names below them: a subscription may not have us call any other address. */
const SERVICES = ['googleapis.com', 'push.services.mozilla.com', 'push.apple.com', 'notify.windows.com'];

/** Of a browser, as its PushSubscription says it in JSON. */
const subscription = z.object({
  endpoint: z.string().url().max(2_000),
  keys: z.object({ p256dh: z.string().regex(/^[\w-]{87}=?$/), auth: z.string().regex(/^[\w-]{22}={0,2}$/) }),
  lang: z.enum(LANGS),
});

export type PushSubscriptionBody = z.output<typeof subscription>;

export const parsePush = (text: string): PushSubscriptionBody => subscription.parse(JSON.parse(text));

/** `more`: origins that the operator allows. */
function isPushService(endpoint: string, more: readonly string[]): boolean {
  const { protocol, hostname, origin, username, password, port } = new URL(endpoint);
  if (more.includes(origin)) return true;
  const isKnown = SERVICES.some((name) => hostname === name || hostname.endsWith(`.${name}`));
  return protocol === 'https:' && port === '' && username === '' && password === '' && isKnown;
}

const allowedOrigins = (): string[] =>
  (process.env.ACEQUIA_PUSH_SERVICES ?? '').split(',').flatMap((part) => part.trim().replace(/\/$/, '') || []);

export async function agreeToPush(store: Store, sessionId: number, body: unknown): Promise<void> {
  const parsed = subscription.safeParse(body);
  if (!parsed.success)
    throw invalidInput('invalid_body', 'The body is not the push subscription of a browser.', {
      hint: 'Send what PushManager.subscribe() gives, and lang.',
    });
  if (!isPushService(parsed.data.endpoint, allowedOrigins()))
    throw invalidInput('unknown_push_service', 'The push service of this browser is not known.', {
      hint: 'The operator can allow it with ACEQUIA_PUSH_SERVICES, such as https://push.example.org.',
    });
  await store.writeUnlocked((all) => setPush(all, sessionId, JSON.stringify(parsed.data)));
}

/** The key by which push services know this service (RFC 8292): any 256 bits are a private key of the curve P-256. */
export async function pushKeys(store: Store): Promise<{ publicKey: string; privateKey: string }> {
  const privateKey = await serviceSecret(store, 'vapid');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey, 'base64url');
  return { publicKey: curve.getPublicKey('base64url'), privateKey };
}

/** To whom push services complain: VAPID requires an address. */
const SUBJECT = 'https://github.com/acequia-mcp/acequia';
/** An older message is of no use. */
const TTL_S = (12 * HOUR_MS) / SECOND_MS;

const GONE: Delivery = { outcome: 'refused', answer: 'the device is no longer subscribed' };

/** Sends an encrypted message (RFC 8291) to the push service of a device. */
export async function openPushTransport(store: Store): Promise<MailTransport> {
  const vapidDetails = { subject: SUBJECT, ...(await pushKeys(store)) };
  const { default: webPush } = await import('web-push');

  async function post({ sessionId, text, alertId }: OutgoingMail, signal: AbortSignal): Promise<Delivery> {
    const stored = await store.readAll((all) => pushOf(all, sessionId!));
    if (stored === null) return GONE;
    const to = parsePush(stored);
    if (!isPushService(to.endpoint, allowedOrigins())) return { outcome: 'refused', answer: 'unknown push service' };
    const options = {
      vapidDetails,
      TTL: TTL_S,
      urgency: 'high',
      topic: alertId.replaceAll('-', '').slice(0, 32),
    } as const;
    const { endpoint, headers, body } = webPush.generateRequestDetails(to, text, options);
    const sent = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
    const answer = await fetch(endpoint, {
      ...{
        method: 'POST',
        headers: sent.map(([name, value]) => [name, String(value)] as [string, string]),
        body: new Uint8Array(body!),
        redirect: 'manual',
        signal,
      },
    });
    await answer.body?.cancel();
    if (answer.status === 404 || answer.status === 410) {
      await store.writeUnlocked((all) => setPush(all, sessionId!, null));
      return GONE;
    }
    const reply = String(answer.status);
    if (answer.ok) return { outcome: 'sent', answer: reply };
    return { outcome: answer.status === 429 || answer.status >= 500 ? 'deferred' : 'refused', answer: reply };
  }

  return {
    domain: 'push',
    // The address of a device is a secret, and a failure would name it.
    send: (message, signal) =>
      post(message, signal).catch(
        (): Delivery => ({ outcome: 'unreachable', answer: 'the push service does not answer' }),
      ),
  };
}
