import type { Lang } from '../../domain/lang.ts';
import { say, sentences } from '../../domain/text/say.ts';
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

/** A mail whose texts are written for its reader. */
type WrittenMail = ReturnType<typeof writtenMail>;

/** `accent` is the colour at the top of the page. */
export function renderMail(draft: MailDraft, recipient: Recipient, accent: string) {
  const onPage: Recipient = { ...recipient, keepsTogether: true };
  return {
    subject: writtenText(draft.subject, recipient),
    content: contentOf(draft, onPage),
    html: htmlPageOf(writtenMail(draft, onPage), recipient.lang, accent),
  };
}

export const renderPush = (title: Text, body: readonly Text[], recipient: Recipient) => ({
  title: writtenText(title, recipient),
  body: writtenText(sentences(body), recipient),
});

const writtenText = (text: Text, reader: Reader): string => readText(render(text, reader).summary);

function writtenMail(draft: MailDraft, reader: Reader) {
  const write = (text: Text): string => writtenText(text, reader);
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

function contentOf(draft: MailDraft, recipient: Recipient): MailContent {
  const { lead, figures, waterings, advice, footer } = draft;
  const { colon } = languageOf(recipient.lang).mail;

  const paragraphs: Text[][] = [[...lead]];
  if (figures.length > 0)
    paragraphs.push(figures.map(([label, value]) => say`${label}${colon}${value}`));
  if (waterings !== null)
    paragraphs.push([waterings.title, ...waterings.lines.map((line) => say`- ${line}`)]);
  paragraphs.push([advice]);

  const write = (text: Text): string => writtenText(text, recipient);
  return { paragraphs: paragraphs.map((lines) => lines.map(write)), footer: write(footer) };
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
