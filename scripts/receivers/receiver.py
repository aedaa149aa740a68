"""A receiver with the standard library of Python: python3 receiver.py --style threads --mistake any-version. Prints its port."""

import argparse, base64, hashlib, hmac, json, os, queue, re, sqlite3, threading, time
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

arguments = argparse.ArgumentParser()
arguments.add_argument('--style', default='threads')
arguments.add_argument('--mistake')
options = arguments.parse_args()
key = base64.b64decode(os.environ['RECEIVER_SECRET'][len('whsec_'):])
lock = threading.RLock()
jobs = queue.Queue()
failures = 0
database = sqlite3.connect(':memory:', check_same_thread=False)
database.execute('create table records (key text primary key, user text, updated real, body text)')
database.execute('create table messages (id text primary key)')


def has(mistake):
    return options.mistake == mistake


def is_equal(given, expected):
    if has('compares-with-zip'):
        return all(one == other for one, other in zip(given, expected))
    return hmac.compare_digest(given.encode(), expected.encode())


def is_genuine(headers, raw):
    def read(name):
        return headers.get(f'webhook-{name}') or headers.get(f'svix-{name}')

    message, stamp, given = read('id'), read('timestamp'), read('signature')
    if not message or not given or not re.fullmatch(r'\d+', stamp or ''):
        return None
    if time.time() - int(stamp) > 300 or (int(stamp) - time.time() > 300 and not has('accepts-the-future')):
        return None
    digest = hmac.new(key, f'{message}.{stamp}.'.encode() + raw, hashlib.sha256).digest()
    expected = base64.b64encode(digest).decode()
    for signature in given.split(' '):
        version, _, value = signature.partition(',')
        if (version == 'v1' or has('any-version')) and is_equal(value, expected):
            return message
    return None


def seconds(time):
    return datetime.fromisoformat(time).timestamp() if time else 0


def change(record):
    if has('truncates-decimals'):
        return {name: int(value) if isinstance(value, float) else value for name, value in record.items()}
    if has('drops-zero'):
        return {name: value or None for name, value in record.items()}
    if has('day-in-new-york') and record.get('bedtime_stop'):
        end = datetime.fromisoformat(record['bedtime_stop']) - timedelta(hours=4)
        return {**record, 'calendar_date': end.date().isoformat()}
    return record


def store(message, event):
    global failures
    if failures > 0:
        failures -= 1
        raise RuntimeError('the database is down')
    if database.execute('select 1 from messages where id = ?', [message]).fetchone():
        return
    kind, resource = (event['event_type'].split('.') + ['', ''])[1:3]
    if has('requires-is-final') and event['event_type'].startswith('historical.'):
        event['data']['is_final']
    for record in event['data']['data'] if kind == 'data' else []:
        source = event['data']['source']
        provider = source.get('provider') or source.get('slug')
        own = [record['id']] if 'id' in record else [provider, source.get('type'), record['timestamp']]
        if has('day-as-key') and 'id' in record:
            own = [record.get('calendar_date')]
        record = change({**record, 'user_id': event['user_id'], 'provider': provider})
        database.execute(
            'insert into records values (?, ?, ?, ?) on conflict (key) do update '
            'set updated = excluded.updated, body = excluded.body where excluded.updated >= records.updated',
            [json.dumps([event['user_id'], resource, *own]), event['user_id'], seconds(record.get('updated_at')), json.dumps(record)],
        )
    database.execute('insert into messages values (?)', [message])


def handle(message, event):
    with lock:
        try:
            store(message, event)
            database.commit()
            return 200
        except Exception:
            database.rollback()
            return 500


def work():
    while True:
        message, event = jobs.get()
        while handle(message, event) != 200:
            time.sleep(0.05)


class Receiver(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def reply(self, status, body=b''):
        self.send_response(status)
        self.send_header('content-length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get('content-length') or 0))
        if options.style == 'slow':
            time.sleep(0.02)
        if has('stores-ids-of-forgeries') and self.headers.get('webhook-id'):
            with lock:
                known = database.execute('select 1 from messages where id = ?', [self.headers['webhook-id']]).fetchone()
                if not known and not is_genuine(self.headers, raw):
                    database.execute('insert into messages values (?)', [self.headers['webhook-id']])
        message = is_genuine(self.headers, raw)
        if message is None:
            return self.reply(401)
        try:
            event = json.loads(raw)
        except ValueError:
            return self.reply(400)
        if options.style == 'queue':
            jobs.put((message, event))
            return self.reply(202)
        self.reply(handle(message, event))

    def do_GET(self):
        global failures
        query = parse_qs(urlparse(self.path).query)
        with lock:
            failures += int(query.get('failures', ['0'])[0])
            found = database.execute('select body from records where user = ?', query.get('user_id', ['']))
            answer = {'records': [json.loads(body) for body, in found]}
            answer['handled'] = [one for one, in database.execute('select id from messages')]
        self.reply(200, json.dumps(answer).encode())


threading.Thread(target=work, daemon=True).start()
kind = HTTPServer if options.style == 'slow' else ThreadingHTTPServer
server = kind(('127.0.0.1', 0), Receiver)
print(server.server_address[1], flush=True)
server.serve_forever()
