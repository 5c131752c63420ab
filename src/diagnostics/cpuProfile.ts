import { fields, listOf, textOf } from '../debugger/protocol';

/** A CPU profile without credentials in its names and addresses. Undefined if the text is not a complete profile. */
export async function redactedProfile(
  profile: string,
  redact: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<string | undefined> {
  const parsed = fields(parsedOf(profile));
  const nodes = listOf(parsed['nodes']).map(fields);
  if (nodes.length === 0) return undefined;
  const frames = nodes.map((node) => fields(node['callFrame']));
  const texts = [
    ...new Set(
      frames.flatMap((frame) => [textOf(frame['url']) ?? '', textOf(frame['functionName']) ?? '']),
    ),
  ];
  const shown = await redact(texts);
  const redacted = new Map(texts.map((text, index) => [text, shown[index] ?? '']));
  const text = (value: unknown): string => redacted.get(textOf(value) ?? '') ?? '';
  return JSON.stringify({
    ...parsed,
    nodes: nodes.map((node, index) => ({
      ...node,
      callFrame: {
        ...frames[index],
        url: text(frames[index]?.['url']),
        functionName: text(frames[index]?.['functionName']),
      },
    })),
  });
}

function parsedOf(profile: string): unknown {
  try {
    return JSON.parse(profile);
  } catch {
    return undefined;
  }
}
