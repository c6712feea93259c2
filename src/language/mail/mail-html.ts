import type { Lang } from '../../domain/lang.ts';

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

/** A section with paragraphs of lines. */
export const htmlParagraphs = (
  heading: string,
  paragraphs: readonly (readonly string[])[],
): string =>
  `<h1>${escapeHtml(heading)}</h1>
${paragraphs.map((lines) => `<p>${lines.map(escapeHtml).join('<br>\n')}</p>`).join('\n')}`;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\u00a0': '&nbsp;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'\u00a0]/g, (sign) => ENTITIES[sign] ?? sign);
