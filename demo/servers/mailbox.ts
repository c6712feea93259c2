import { appendFile, open, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { AcequiaError } from '../../src/schema/error.ts';

/** A mail server on this machine that keeps what arrives in a file which mail programs open. */
export interface Mailbox {
  /** As ACEQUIA_SMTP_URL says it. */
  readonly url: string;
  /** Mail that has arrived since it was last looked into, oldest first. */
  takeArrived(): Promise<Email[]>;
  close(): Promise<void>;
}

/** How each message begins in the file; by the first one a file is known as a mailbox of the demo. Format: RFC 4155. */
const SEPARATOR = 'From acequia-demo@localhost ';

/** Where the mail of a demo farm is kept: beside its file. */
export const mailboxPath = (farm: string): string => `${farm}.mbox`;

/** Opens a mailbox that keeps its mail in a file. */
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

/** A message as the file keeps it, a character a byte: behind a line that separates, with what looks like one marked in its text. */
function toMboxEntry(message: Buffer, at: Date): string {
  const [day, date, month, year, time] = at.toUTCString().replace(',', '').split(' ');
  const lines = message
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replace(/^>*From /gm, '>$&')
    .trimEnd();
  return `${SEPARATOR}${day} ${month} ${date} ${time} ${year}\n${lines}\n\n`;
}

/** Removes the mailbox of an earlier run; refuses a file that is anything else. */
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
    throw new AcequiaError({
      code: 'NOT_A_DEMO_MAILBOX',
      status: 409,
      message: `The file ${file} is where the demo keeps its mail, and holds something else, which stays as it is.`,
      hint: 'Move it away, or name another store with --db.',
    });
  await rm(file);
}
