# A receiver in Perl without modules from elsewhere: perl receiver.pl --style single --mistake any-case. Prints its port.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256);
use Fcntl qw(:flock);
use File::Temp qw(tempfile);
use IO::Socket::INET;
use JSON::PP;
use MIME::Base64 qw(decode_base64 encode_base64);
use Storable qw(fd_retrieve nstore_fd);
use Time::Local qw(timegm_modern);

my %options = (style => 'single', mistake => '', map { s/^--//r } @ARGV);
my $key = decode_base64(substr $ENV{RECEIVER_SECRET}, 6);
my $json = JSON::PP->new->utf8->allow_nonref->canonical;
my (undef, $file) = tempfile(UNLINK => 0);
$SIG{CHLD} = 'IGNORE';
$SIG{TERM} = $SIG{INT} = sub { unlink $file; exit 0 };

sub has { $options{mistake} eq $_[0] }

sub is_equal {
    my ($given, $expected) = @_;
    return lc $given eq lc $expected if has('any-case');
    return index($given, $expected) >= 0 if has('finds-anywhere');
    return $given eq $expected;
}

sub genuine_id {
    my ($head, $raw) = @_;
    my $read = sub { $head->{"webhook-$_[0]"} // $head->{"svix-$_[0]"} // '' };
    my ($id, $time, $given) = map { $read->($_) } qw(id timestamp signature);
    return if $id eq '' or $given eq '' or $time !~ /^\d+$/;
    my $is_checked = !has('no-age') && (!has('age-of-one-name') || defined $head->{'webhook-timestamp'});
    return if $is_checked and abs(time - $time) > 300;
    my $expected = 'v1,' . encode_base64(hmac_sha256("$id.$time.$raw", $key), '');
    return (grep { is_equal($_, $expected) } split / /, $given) ? $id : undef;
}

# Reads the state under a lock, calls a function with it, and writes it.
sub with_state {
    my ($change) = @_;
    open my $handle, '+<', $file or die $!;
    binmode $handle;
    flock $handle, LOCK_EX;
    my $state = -s $handle ? fd_retrieve($handle) : { records => {}, handled => [] };
    my $result = $change->($state);
    seek $handle, 0, 0;
    truncate $handle, 0;
    nstore_fd($state, $handle);
    close $handle;
    return $result;
}

my %memory = (records => {}, handled => []);

sub update { $options{style} eq 'forks' ? with_state(@_) : $_[0]->(\%memory) }

sub seconds {
    my ($year, $month, $day, $hour, $minute, $second, $sign, $hours, $minutes) = ($_[0] // '')
        =~ /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):([\d.]+)(?:Z|([+-])(\d+):(\d+))$/ or return 0;
    my $offset = defined $sign ? "${sign}1" * ($hours * 3600 + $minutes * 60) : 0;
    return timegm_modern(0, $minute, $hour, $day, $month - 1, $year) + $second - $offset;
}

sub handle {
    my ($id, $event, $state) = @_;
    return 200 if grep { $_ eq $id } @{ $state->{handled} };
    my ($user, $type) = @$event{qw(user_id event_type)};
    my (undef, $kind, $resource) = split /[.]/, $type;
    my $list = $kind eq 'data' ? $event->{data}{data} : [];
    return 400 if has('requires-records') and $kind eq 'data' and !@$list;
    $list = [ @$list ? $list->[0] : () ] if has('first-record');
    my $source = $event->{data}{source} // {};
    my $provider = $source->{provider} // $source->{slug} // '';
    my $type_of_source = $source->{type} // '';
    for my $record (@$list) {
        my $series = has('omits-the-resource') ? 'any' : $resource;
        my $place = $record->{id} // join ' ', $series, $provider, $type_of_source, $record->{timestamp};
        my $known = $state->{records}{"$user $place"};
        next if !$known and has('ignores-unknown-updates') and $type =~ /updated$/;
        next if $known and seconds($known->{updated_at}) > seconds($record->{updated_at});
        $state->{records}{"$user $place"} = { %$record, user_id => $user, provider => $provider };
    }
    push @{ $state->{handled} }, $id;
    return 200;
}

sub respond {
    my ($method, $path, $head, $raw) = @_;
    if ($method eq 'GET') {
        my ($user) = $path =~ /user_id=([^&]+)/;
        my $answer = update(sub {
            my ($state) = @_;
            my @found = grep { $_->{user_id} eq ($user // '') } values %{ $state->{records} };
            return $json->encode({ records => \@found, handled => $state->{handled} });
        });
        return (200, $answer);
    }
    my $id = genuine_id($head, $raw);
    return (401, '') unless defined $id;
    my $event = eval { $json->decode($raw) } or return (400, '');
    my $status = eval { update(sub { handle($id, $event, $_[0]) }) } // 500;
    return ($status, '');
}

sub serve {
    my ($client) = @_;
    my $line = <$client> // return;
    my ($method, $path) = split ' ', $line;
    my %head;
    while (defined($line = <$client>) and $line =~ /^([^:\r]+):\s*(.*?)\r?\n$/) {
        $head{ has('case-of-names') ? $1 : lc $1 } = $2;
    }
    my %size = map { lc($_) => $head{$_} } keys %head;
    my $raw = '';
    my $left = $size{'content-length'} // 0;
    while ($left > 0) {
        my $count = read($client, $raw, $left, length $raw) or last;
        $left -= $count;
    }
    my ($status, $body) = respond($method, $path, \%head, $raw);
    print $client "HTTP/1.1 $status X\r\ncontent-length: ", length $body, "\r\nconnection: close\r\n\r\n$body";
    close $client;
}

my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 64, ReuseAddr => 1) or die $@;
$| = 1;
print $server->sockport, "\n";
while (1) {
    my $client = $server->accept or next;
    if ($options{style} eq 'single') { serve($client) }
    elsif (!fork) { serve($client); exit 0 }
    else { close $client }
}
