"""Sockets of every family, to listeners that the test has opened on this machine."""

# ruff: noqa
import ctypes
import os
import socket

PORT, UNIX_PATH, ABSTRACT = int("@PORT@"), "@UNIX_PATH@", "@ABSTRACT@"


def probe_tcp_loopback():
    socket.create_connection(("127.0.0.1", PORT), 1).close()
    return True


def probe_tcp_socket():
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM)


def probe_udp_socket():
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def probe_inet6_socket():
    return socket.socket(socket.AF_INET6, socket.SOCK_STREAM)


def probe_raw_socket():
    return socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)


def probe_packet_socket():
    return socket.socket(socket.AF_PACKET, socket.SOCK_RAW)


def probe_netlink_socket():
    return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)


def probe_vsock():
    return socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)


def probe_listen():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        return True


def probe_resolve_a_name():
    return socket.getaddrinfo("example.invalid", 80)


def probe_unix_socket_by_path():
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(UNIX_PATH)
        return True


def probe_abstract_unix_socket():
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect("\0" + ABSTRACT)
        return True


def probe_unix_datagram_over_a_pair():
    left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    left.sendto(b"x", UNIX_PATH)
    return True


def probe_io_uring():
    libc = ctypes.CDLL(None, use_errno=True)
    ring = libc.syscall(425, 8, ctypes.create_string_buffer(120))
    if ring < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return True
