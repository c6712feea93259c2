import type { Lang } from '../../domain/lang.ts';
import { sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { languageOf } from '../index.ts';
import type { Reader } from '../text/reader.ts';
import { render } from '../text/render.ts';
import { readText } from '../text/rendered-text.ts';
import type { MailContent } from './mail-content.ts';
import type { MailDraft } from './mail-draft.ts';
import { escapeHtml, htmlPage } from './mail-html.ts';

/** Who gets a message, and when it is written. */
type Recipient = Reader & { readonly lang: Lang };

/** A mail whose texts are written for its recipient. */
type WrittenMail = ReturnType<typeof writtenMail>;

/** `accent` is the colour at the top of the page. */
export function renderMail(draft: MailDraft, recipient: Recipient, accent: string) {
  const mail = writtenMail(draft, recipient);
  return {
    subject: mail.subject,
    content: contentOf(mail, languageOf(recipient.lang).mail.colon),
    html: htmlPageOf(mail, recipient.lang, accent),
  };
}

export const renderPush = (title: Text, body: readonly Text[], recipient: Recipient) => ({
  title: readText(render(title, recipient).summary),
  body: readText(render(sentences(body), recipient).summary),
});

function writtenMail(draft: MailDraft, recipient: Recipient) {
  const write = (text: Text): string => readText(render(text, recipient).summary);
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

function contentOf(
  { lead, figures, waterings, advice, footer }: WrittenMail,
  colon: string,
): MailContent {
  const paragraphs: string[][] = [lead];
  if (figures.length > 0)
    paragraphs.push(figures.map(([label, value]) => `${label}${colon}${value}`));
  if (waterings !== null)
    paragraphs.push([waterings.title, ...waterings.lines.map((line) => `- ${line}`)]);
  paragraphs.push([advice]);
  return { paragraphs, footer };
}

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

const listOfWaterings = ({ title, lines }: NonNullable<WrittenMail['waterings']>): string =>
  `<h2>${escapeHtml(title)}</h2>
<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;
