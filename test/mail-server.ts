import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { afterTest } from './cleanup.ts';

type MailReaction =
  | 'accept'
  /** Closes the connection after the message without an answer. */
  | 'drop'
  | 'hang'
  | { readonly at: 'RCPT' | 'DATA'; readonly code: number; readonly text: string };

export interface MailServerOptions {
  /** Decides by recipient and the number of earlier attempts; the default accepts. */
  readonly reaction?: (to: string, times: number) => MailReaction;
  readonly senderRefusal?: { readonly code: number; readonly text: string };
  /** The certificate is self-signed. */
  readonly offersTls?: boolean;
  readonly login?: { readonly user: string; readonly password: string };
  /** In ms. */
  readonly acceptDelayMs?: number;
}

interface ReceivedMail {
  readonly to: string;
  readonly mail: Email;
  readonly isAccepted: boolean;
}

export interface MailServer {
  readonly port: number;
  readonly url: string;
  readonly received: ReceivedMail[];
  readonly connections: number;
  /** Resolves when no connection is open and every message is in `received`. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

const refusal = (code: number, text: string) =>
  Object.assign(new Error(text), { responseCode: code });

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { reaction, senderRefusal, offersTls = false, login, acceptDelayMs = 0 } = options;
  const received: ReceivedMail[] = [];
  const sockets = new Map<number, Socket>();
  const attempts = new Map<string, number>();
  let connections = 0;
  /** Messages not yet in `received`. */
  let reading = 0;
  const sessions = new Map<string, { readonly to: string; readonly reaction: MailReaction }>();
  const reactionTo = (to: string): MailReaction => {
    const times = attempts.get(to) ?? 0;
    attempts.set(to, times + 1);
    return reaction?.(to, times) ?? 'accept';
  };
  const isAt = (how: MailReaction, at: string): how is Exclude<MailReaction, string> =>
    typeof how === 'object' && how.at === at;

  const server = new SMTPServer({
    disabledCommands: [...(offersTls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    disableReverseLookup: true,
    // Answers come one by one, as from a server that can lose a message at any of them.
    hidePIPELINING: true,
    allowInsecureAuth: true,
    authOptional: !login,
    logger: false,
    onAuth({ username, password }, _, callback) {
      if (username === login?.user && password === login?.password)
        callback(null, { user: username });
      else callback(refusal(535, 'Wrong name or password'));
    },
    onMailFrom(_address, _session, callback) {
      if (senderRefusal) callback(refusal(senderRefusal.code, senderRefusal.text));
      else callback();
    },
    onRcptTo({ address }, session, callback) {
      const reaction = reactionTo(address);
      sessions.set(session.id, { to: address, reaction });
      if (isAt(reaction, 'RCPT')) callback(refusal(reaction.code, reaction.text));
      else callback();
    },
    onData(stream: SMTPServerDataStream, session, callback) {
      const { to, reaction } = sessions.get(session.id)!;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        reading++;
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        if (acceptDelayMs > 0) await pause(acceptDelayMs);
        received.push({ to, mail, isAccepted: reaction === 'accept' });
        reading--;
        if (reaction === 'drop') sockets.get(session.remotePort)?.destroy();
        else if (isAt(reaction, 'DATA')) callback(refusal(reaction.code, reaction.text));
        else if (reaction !== 'hang') callback();
      });
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    connections++;
    const port = socket.remotePort!;
    sockets.set(port, socket);
    socket.once('close', () => sockets.delete(port));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const quiet = async () => {
    // A message may be parsed a turn after its connection closed.
    for (let turns = 0; turns < 3; turns = sockets.size === 0 && reading === 0 ? turns + 1 : 0)
      await pause(1);
  };
  const close = async () => {
    for (const socket of sockets.values()) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  afterTest(close);
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    get connections() {
      return connections;
    },
    quiet,
    close,
  };
}

export async function startSilentServer(): Promise<{ url: string; connections(): number }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterTest(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
  };
}

export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
