import { appendFile, open, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { plainError } from '../../src/schema/error.ts';

export interface Mailbox {
  readonly url: string;
  takeArrived(): Promise<Email[]>;
  close(): Promise<void>;
}

/** Begins each message; the demo recognises its own file by the first one. Format: RFC 4155. */
const SEPARATOR = 'From acequia-demo@localhost ';

export const mailboxPath = (farm: string): string => `${farm}.mbox`;

export async function openMailbox(file: string): Promise<Mailbox> {
  const arrived: Buffer[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, _session, answer) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const message = Buffer.concat(chunks);
        appendFile(file, toMboxEntry(message, new Date()), 'latin1').then(() => {
          arrived.push(message);
          answer();
        }, answer);
      });
    },
  });
  await new Promise<void>((listening, failed) => {
    server.on('error', failed);
    server.listen(0, '127.0.0.1', listening);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    takeArrived: () => Promise.all(arrived.splice(0).map((message) => PostalMime.parse(message))),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

/**
 * One character per byte: a separator line, and lines of the text that look like one are escaped.
 */
function toMboxEntry(message: Buffer, at: Date): string {
  const [day, date, month, year, time] = at.toUTCString().replace(',', '').split(' ');
  const lines = message
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replace(/^>*From /gm, '>$&')
    .trimEnd();
  return `${SEPARATOR}${day} ${month} ${date} ${time} ${year}\n${lines}\n\n`;
}

export async function removeMailbox(file: string): Promise<void> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return;
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(SEPARATOR.length), 0, SEPARATOR.length, 0)
    .finally(() => handle.close());
  if (bytesRead > 0 && buffer.toString('latin1', 0, bytesRead) !== SEPARATOR)
    throw plainError({
      code: 'NOT_A_DEMO_MAILBOX',
      status: 409,
      message: `The demo writes its mail to ${file}, but that file holds something else; it was left unchanged.`,
      hint: 'Move the file away, or name another store with --db.',
    });
  await rm(file);
}
