import type { Lang } from '../../domain/lang.ts';
import { sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { singleLine } from '../../domain/text.ts';
import { languageOf } from '../index.ts';
import type { Reader } from '../text/reader.ts';
import { render } from '../text/render.ts';
import type { MailDraft } from './mail-draft.ts';

/** Who gets a message, and when it is written. */
type Recipient = Reader & { readonly lang: Lang };

/** A mail whose texts are written for its recipient. */
type WrittenMail = ReturnType<typeof writtenMail>;

/** `accent` is the colour at the top of the page. */
export function renderMail(draft: MailDraft, recipient: Recipient, accent: string) {
  const mail = writtenMail(draft, recipient);
  return {
    subject: mail.subject,
    text: plainTextOf(mail, languageOf(recipient.lang).mail.colon),
    html: htmlPageOf(mail, recipient.lang, accent),
  };
}

export const renderPush = (title: Text, body: readonly Text[], recipient: Recipient) => ({
  title: render(title, recipient).summary,
  body: render(sentences(body), recipient).summary,
});

function writtenMail(draft: MailDraft, recipient: Recipient) {
  const write = (text: Text): string => render(text, recipient).summary;
  const { waterings } = draft;
  return {
    subject: write(draft.subject),
    lead: draft.lead.map(write),
    figures: draft.figures.map(([label, value]) => [write(label), write(value)] as const),
    waterings: waterings && {
      title: write(waterings.title),
      lines: waterings.lines.map(write),
    },
    advice: write(draft.advice),
    footer: write(draft.footer),
  };
}

const MAX_NAME_LENGTH = 80;

export function sanitizeName(name: string): string {
  const line = singleLine(name);
  const characters = [...line];
  return characters.length <= MAX_NAME_LENGTH
    ? line
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}

/** Mail programs know it as the beginning of the footer. Source: RFC 3676, section 4.3. */
export const SIGNATURE = '\n\n-- \n';

function plainTextOf(
  { lead, figures, waterings, advice, footer }: WrittenMail,
  colon: string,
): string {
  return [
    lead.join('\n'),
    ...(figures.length === 0
      ? []
      : [figures.map(([label, value]) => `${label}${colon}${value}`).join('\n')]),
    ...(waterings === null
      ? []
      : [[waterings.title, ...waterings.lines.map((line) => `- ${line}`)].join('\n')]),
    advice,
  ]
    .join('\n\n')
    .concat(SIGNATURE, footer);
}

/** Readable also where a mail program drops the rules for dark mode: dark grey on white. */
const STYLE = `body{margin:0;padding:16px;background:#f4f4f2;color:#1f2933;font:16px/1.5 -apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
main{display:block;max-width:560px;margin:0 auto;padding:20px;background:#fff;border-radius:6px}
h1{margin:0 0 12px;font-size:20px;line-height:1.3}
h2{margin:20px 0 4px;font-size:16px}
p{margin:0 0 12px}
table{border-collapse:collapse;width:100%}
th,td{padding:6px 0;border-bottom:1px solid #e3e3df;text-align:left;vertical-align:top;font-size:15px}
th{width:38%;padding-right:12px;font-weight:normal;color:#52606d}
ul{margin:0 0 16px;padding-left:20px}
footer{display:block;margin-top:16px;font-size:13px;color:#52606d}
@media (prefers-color-scheme:dark){body{background:#14181c;color:#e4e7eb}main{background:#1f252b}th,td{border-color:#323a42}th,footer{color:#9aa5b1}}`;

function htmlPageOf(
  { subject, lead, figures, waterings, advice, footer }: WrittenMail,
  lang: Lang,
  accent: string,
): string {
  const rows = figures.map(
    ([label, value]) =>
      `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const details = [
    ...(rows.length === 0 ? [] : [`<table>${rows.join('')}</table>`]),
    ...(waterings === null ? [] : [listOfWaterings(waterings)]),
  ];

  const section = `<h1>${escapeHtml(subject)}</h1>
${[...lead.map((sentence) => `<p>${escapeHtml(sentence)}</p>`), ...details].join('\n')}
<p><strong>${escapeHtml(advice)}</strong></p>`;
  return htmlPage(subject, lang, accent, [section], footer);
}

/** The sections are HTML. */
export const htmlPage = (
  title: string,
  lang: Lang,
  accent: string,
  sections: readonly string[],
  footer: string,
): string => `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main style="border-top:4px solid ${accent}">
${sections.join('\n')}
<footer>${escapeHtml(footer)}</footer>
</main>
</body>
</html>
`;

/** A section with the paragraphs and lines of a plain text. */
export const htmlParagraphs = (heading: string, text: string): string =>
  `<h1>${escapeHtml(heading)}</h1>
${text
  .split('\n\n')
  .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>\n')}</p>`)
  .join('\n')}`;

const listOfWaterings = ({ title, lines }: NonNullable<WrittenMail['waterings']>): string =>
  `<h2>${escapeHtml(title)}</h2>
<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes signs of HTML, and makes the spaces before units and signs non-breaking. */
const escapeHtml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
    .replace(/ (?=[%:;]|(?:mm|h|min)\b)/g, '&nbsp;');
