import * as l10n from '@vscode/l10n';

export interface PageAddresses {
  readonly script: string;
  readonly style: string;
  /** The source of the page's own files, for its policy. */
  readonly own: string;
  readonly nonce: string;
  readonly language: string;
}

/** Returns the page without any result. Its script draws results that arrive as messages. */
export function pageOf({ script, style, own, nonce, language }: PageAddresses): string {
  const policy = `default-src 'none'; style-src ${own}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${escaped(language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<link rel="stylesheet" href="${escaped(style)}">
<title>${escaped(l10n.t('Recorded Values'))}</title>
</head>
<body>
<div class="bar">
<select id="choose" aria-label="${escaped(l10n.t('Recorded result'))}"></select>
<input id="filter" type="search" aria-label="${escaped(l10n.t('Filter the rows'))}" placeholder="${escaped(l10n.t('Filter the rows'))}">
<button id="show" class="action" hidden>${escaped(l10n.t('Show in the Editor'))}</button>
<span id="count" class="count" role="status"></span>
</div>
<ul id="remarks" class="remarks"></ul>
<table aria-label="${escaped(l10n.t('Recorded Values'))}"><thead id="head"></thead><tbody id="body"></tbody></table>
<script nonce="${nonce}" src="${escaped(script)}"></script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
