// The page of the webview. Its policy lets in our own script and styles and
// nothing else; what the model says can bring no script, style, frame or picture.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Makes the HTML of the chat. */
export function page(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(18).toString('base64');
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', 'webview', name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <title>agentd</title>
  <link id="vscode-codicon-stylesheet" rel="stylesheet" href="${file('codicon.css')}" nonce="${nonce}">
  <link rel="stylesheet" href="${file('style.css')}" nonce="${nonce}">
</head>
<body>
  <main id="app"></main>
  <script nonce="${nonce}" src="${file('main.js')}"></script>
</body>
</html>`;
}
