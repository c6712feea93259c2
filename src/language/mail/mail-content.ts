import { NO_BREAK_SPACE } from '../text/render-figures.ts';

/** The body of a mail, with figures and signs that keep together on a page. */
export interface MailContent {
  /** Each is a list of lines. */
  readonly paragraphs: readonly (readonly string[])[];
  /** Null for a mail of an earlier version, whose footer is among its paragraphs. */
  readonly footer: string | null;
}

/** Mail programs know it as the beginning of the footer. Source: RFC 3676, section 4.3. */
const SIGNATURE = '\n\n-- \n';

export function plainTextOf({ paragraphs, footer }: MailContent): string {
  const body = paragraphs.map((lines) => lines.join('\n')).join('\n\n');
  const text = footer === null ? body : body.concat(SIGNATURE, footer);
  return text.replaceAll(NO_BREAK_SPACE, ' ');
}
