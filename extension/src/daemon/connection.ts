// The wire to a running daemon: vscode-jsonrpc over its stdin and stdout, with
// the types of protocol.ts. The framing is that of LSP, see protocol.md.
import type { Readable, Writable } from 'node:stream';
import { CancellationTokenSource, createMessageConnection, ErrorCodes, ResponseError, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { CancellationToken, MessageConnection } from 'vscode-jsonrpc/node';
import type { ClientNotifications, ClientRequests, ServerNotifications, ServerRequests } from '../protocol';
import { isUpdate, problemOf } from './checks';

/** Answers the daemon's requests, one function a method. */
export type Handlers = {
  [M in keyof ClientRequests]: (params: ClientRequests[M]['params'], token: CancellationToken) => Promise<ClientRequests[M]['result']>;
};

/** Hears the daemon's notifications. */
export interface Listeners {
  'session/update': (params: ClientNotifications['session/update']) => void;
  'log/message': (params: ClientNotifications['log/message']) => void;
}

/** A connection to one daemon process. */
export class Connection {
  private readonly rpc: MessageConnection;
  private ended = false;

  constructor(output: Readable, input: Writable, handlers: Handlers, listeners: Listeners, onError: (message: string) => void) {
    this.rpc = createMessageConnection(new StreamMessageReader(output), new StreamMessageWriter(input));
    for (const method of ['ui/confirm', 'ui/askUser', 'buffer/apply'] as const) {
      const handle = handlers[method] as (params: unknown, token: CancellationToken) => Promise<unknown>;
      this.rpc.onRequest(method, (params: unknown, token: CancellationToken) => {
        const problem = problemOf(method, params);
        return problem === undefined ? handle(params, token) : new ResponseError(ErrorCodes.InvalidParams, problem);
      });
    }
    this.rpc.onNotification('session/update', (u: unknown) => {
      if (isUpdate(u)) {
        listeners['session/update'](u);
      } else {
        onError(`an update that is not understood: ${JSON.stringify(u)?.slice(0, 200)}`);
      }
    });
    this.rpc.onNotification('log/message', listeners['log/message']);
    this.rpc.onError(([error]) => onError(error.message));
    this.rpc.onClose(() => this.close());
    this.rpc.listen();
  }

  /** Sends a request. A signal that is aborted cancels it with `$/cancelRequest`. */
  async request<M extends keyof ServerRequests>(method: M, params: ServerRequests[M]['params'], signal?: AbortSignal): Promise<ServerRequests[M]['result']> {
    if (this.ended) {
      throw new Error('agentd has ended');
    }
    const source = new CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal?.addEventListener('abort', cancel);
    try {
      return await this.rpc.sendRequest<ServerRequests[M]['result']>(method, params, source.token);
    } finally {
      signal?.removeEventListener('abort', cancel);
      source.dispose();
    }
  }

  /** Sends a notification; after the end it does nothing. */
  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void {
    if (!this.ended) {
      void this.rpc.sendNotification(method, params).catch(() => undefined);
    }
  }

  /** Fails the requests that are open and sends no more. */
  close(): void {
    if (!this.ended) {
      this.ended = true;
      this.rpc.dispose();
    }
  }
}
