import { fields, numberOf, textOf, type Fields } from '../debugger/protocol';
import { defined } from '../util/defined';
import type { Recorder } from './captureRecorder';
import type { PageConnection } from './pageConnection';
import { addressOf, cut } from './pageValues';

interface OpenRequest {
  readonly ts: number;
  readonly method: string;
  readonly url: string;
  status?: number;
  type?: string;
  /** The number of bytes of the body that have arrived, without headers and decompressed. */
  bytes: number;
}

const MAX_OPEN = 2000;
const MAX_OF_A_BODY = 200;
const MAX_READ = 200_000;
const TEXT_TYPE = /json|text|javascript|xml|html/;

/** Records the requests of a page and their responses. */
export class PageNetwork {
  private readonly requests = new Map<string, OpenRequest>();

  /** @param stepHint the field that names the person's last action */
  constructor(
    private readonly page: PageConnection,
    private readonly recorder: Recorder,
    private readonly stepHint: () => Fields,
    private readonly now: () => number,
  ) {}

  /** Handles an event of the CDP domain `Network`. */
  async event(method: string, params: Fields): Promise<void> {
    const id = textOf(params['requestId']) ?? '';
    if (method === 'Network.requestWillBeSent') {
      await this.sent(id, params);
      return;
    }
    const open = this.requests.get(id);
    if (open === undefined) return;
    if (method === 'Network.responseReceived') {
      const response = fields(params['response']);
      open.status = numberOf(response['status']) ?? 0;
      open.type = textOf(response['mimeType']) ?? '';
    } else if (method === 'Network.dataReceived') open.bytes += numberOf(params['dataLength']) ?? 0;
    else if (method === 'Network.loadingFailed')
      await this.finished(id, open.status, textOf(params['errorText']) ?? 'failed', true);
    else if (method === 'Network.loadingFinished')
      await this.finished(id, open.status, await this.bodySummary(id, open));
  }

  private async sent(id: string, params: Fields): Promise<void> {
    const request = fields(params['request']);
    const redirect = numberOf(fields(params['redirectResponse'])['status']);
    if (redirect !== undefined) await this.finished(id, redirect, 'redirect');
    if (this.requests.size >= MAX_OPEN) {
      this.recorder.dropped(1);
      return;
    }
    this.requests.set(id, {
      ts: this.now(),
      bytes: 0,
      method: textOf(request['method']) ?? '',
      url: addressOf(request['url']),
    });
  }

  /** The type and size of a body, and the beginning of a text. The size is left out if the browser does not tell it. */
  private async bodySummary(id: string, { type = '', bytes }: OpenRequest): Promise<string> {
    const summary = [type, ...(bytes === 0 ? [] : [`${bytes} bytes`])].filter(Boolean).join(', ');
    if (!TEXT_TYPE.test(type) || bytes > MAX_READ) return summary;
    const { body, base64Encoded } = await this.page
      .send('Network.getResponseBody', { requestId: id })
      .catch((): Fields => ({}));
    if (typeof body !== 'string' || base64Encoded === true) return summary;
    // A body from the cache may arrive without events about its data.
    const size = bytes === 0 ? Buffer.byteLength(body) : bytes;
    return `${type}, ${size} bytes${body === '' ? '' : `: ${cut(body, MAX_OF_A_BODY)}`}`;
  }

  private async finished(
    id: string,
    status: number | undefined,
    bodySummary: string,
    hasFailed = false,
  ): Promise<void> {
    const open = this.requests.get(id);
    if (open === undefined) return;
    this.requests.delete(id);
    const { ts, method, url } = open;
    await this.recorder.line('network', { ts, method, url, ...defined({ status }), bodySummary });
    const isError = hasFailed || (status ?? 0) >= 400;
    await this.recorder.event({
      ts: this.now(),
      level: isError ? 'error' : 'debug',
      module: 'network',
      func: '',
      msg: `${method} ${url} ${hasFailed ? bodySummary : String(status ?? '')}`.trim(),
      kv: { ...defined({ status }), ...this.stepHint() },
      stream: 'network',
    });
  }
}
