import http from 'node:http';

/** Asks a server of a fixture. @returns the body of its answer */
export async function ask(port: number, path: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
  });
}
