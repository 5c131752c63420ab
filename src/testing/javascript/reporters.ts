/** The file in the scratch folder that a reporter writes to, with one JSON object per line. */
export const REPORT = 'report.jsonl';
