import * as l10n from '@vscode/l10n';
import { McpError, type Resource } from '@modelcontextprotocol/sdk/types.js';
import { isText, placeOf, typeOf, uriOf, URI_BEGINNING } from '../../investigation/paths';
import { Failure } from '../../results/failure';
import { visibleText } from '../../results/visible';
import type { ToolServices } from '../../tools/services';

/** MCP "Resources", error handling. */
const NOT_FOUND = -32002;

/** The maximum number of investigations whose files are listed, newest first. */
const MAX_INVESTIGATIONS = 10;
const MAX_FILES = 200;

export const FILE_TEMPLATE = `${URI_BEGINNING}{sid}/{+path}`;

export function isInvestigationUri(uri: string): boolean {
  return uri.startsWith(URI_BEGINNING);
}

/** Whether a URI has the form of a file's URI. */
export function isInvestigationFile(uri: string): boolean {
  return placeOf(uri) !== undefined;
}

/** The files of the newest investigations. */
export async function investigationResources({
  investigation: { investigations },
}: ToolServices): Promise<Resource[]> {
  const found = (await investigations.list()).slice(0, MAX_INVESTIGATIONS);
  const files = await Promise.all(
    found.map(async ({ sid, title }) =>
      (await investigations.entries(sid)).map(({ path, size, changedAt }): Resource => ({
        uri: uriOf(sid, path),
        name: `${sid}/${path}`,
        title: `${path} (${title})`,
        mimeType: typeOf(path),
        size,
        annotations: { lastModified: new Date(changedAt).toISOString() },
      })),
    ),
  );
  return files.flat().slice(0, MAX_FILES);
}

export function investigationTemplates() {
  return [
    {
      uriTemplate: FILE_TEMPLATE,
      name: 'investigation',
      title: l10n.t('File of an investigation'),
      description: l10n.t(
        'A capture, an analysis or another document. #L3-L9 after a path selects lines.',
      ),
    },
  ];
}

/**
 * A file of an investigation, or the lines that the URI names. Captured data was redacted when it was written.
 * @throws McpError if there is no such file
 */
export async function readInvestigation(services: ToolServices, uri: string) {
  const place = placeOf(uri);
  if (place === undefined) throw new McpError(NOT_FOUND, 'There is no such resource.', { uri });
  services.access.check();
  const { data, isCut } = await services.investigation.investigations
    .read(place)
    .catch((error: unknown) => {
      throw error instanceof Failure ? new McpError(NOT_FOUND, error.message, { uri }) : error;
    });
  const content = {
    uri,
    mimeType: typeOf(place.path),
    // The rest of a long file is read by lines.
    ...(isCut ? { _meta: { truncated: true } } : {}),
  };
  return isText(place.path)
    ? { ...content, text: visibleText(new TextDecoder().decode(data)) }
    : { ...content, blob: Buffer.from(data).toString('base64') };
}
